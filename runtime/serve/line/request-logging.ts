import type { Instance, Logger, Reply, Request } from '../model.ts'

/** The lines that an application logs about requests. */
export interface RequestLogging {
  /** The key of request ids. */
  readonly requestIdLogLabel: string
  incomingRequest(request: Request, reply: Reply): void
  requestCompleted(error: unknown, request: Request, reply: Reply): void
  /** The default error handler has got an error. */
  defaultErrorLog(error: unknown, request: Request, reply: Reply): void
  /** A stream has failed after the head was sent. */
  streamError(error: unknown, request: Request, reply: Reply): void
  routeNotFound(request: Request, reply: Reply): void
  writeHeadError(error: unknown, request: Request, reply: Reply): void
  serializerError(
    error: unknown,
    request: Request,
    reply: Reply,
    metadata: { readonly statusCode: number },
  ): void
  /** A request was refused, because the server is closing. */
  serviceUnavailable(logger: Logger, server: Instance): void
}
