import { elapsedTimeOf } from '../logger.ts'
import type { Failure, Instance, Logger, Reply, Request } from '../model.ts'

type Disable = boolean | ((request: Request) => boolean)

interface Options {
  readonly disableRequestLogging?: Disable | undefined
  readonly requestIdLogLabel?: string | undefined
}

/** Logs the lines about requests as Fastify 5. Its applications may derive a class that logs others. */
export class LogController {
  disableRequestLogging: Disable
  requestIdLogLabel: string

  constructor({ disableRequestLogging, requestIdLogLabel }: Options = {}) {
    this.disableRequestLogging = disableRequestLogging || false
    this.requestIdLogLabel = requestIdLogLabel || 'reqId'
  }

  isLogDisabled(request: Request): boolean {
    const { disableRequestLogging: disable } = this
    return typeof disable === 'function' ? disable.call(this, request) : disable
  }

  incomingRequest(request: Request, _reply: Reply): void {
    if (!this.isLogDisabled(request)) request.log.info({ req: request }, 'incoming request')
  }

  requestCompleted(error: unknown, request: Request, reply: Reply): void {
    if (this.isLogDisabled(request)) return
    const responseTime = elapsedTimeOf(reply)
    if (error) reply.log.error({ res: reply, err: error, responseTime }, 'request errored')
    else reply.log.info({ res: reply, responseTime }, 'request completed')
  }

  defaultErrorLog(error: unknown, request: Request, reply: Reply): void {
    if (this.isLogDisabled(request)) return
    const message = (error as Failure | null | undefined)?.message
    if (reply.statusCode < 500) reply.log.info({ res: reply, err: error }, message)
    else reply.log.error({ req: request, res: reply, err: error }, message)
  }

  streamError(error: unknown, request: Request, reply: Reply): void {
    if (this.isLogDisabled(request)) return
    if ((error as { code?: unknown }).code === 'ERR_STREAM_PREMATURE_CLOSE') {
      reply.log.info({ res: reply }, 'stream closed prematurely')
    } else {
      reply.log.warn({ err: error }, 'response terminated with an error with headers already sent')
    }
  }

  routeNotFound(request: Request, _reply: Reply): void {
    if (this.isLogDisabled(request)) return
    const { url, method } = request.raw
    request.log.info(`Route ${method}:${url} not found`)
  }

  writeHeadError(error: unknown, request: Request, reply: Reply): void {
    if (this.isLogDisabled(request)) return
    const message = (error as Failure | null | undefined)?.message
    reply.log.warn({ req: request, res: reply, err: error }, message)
  }

  serializerError(
    error: unknown,
    request: Request,
    reply: Reply,
    { statusCode }: { readonly statusCode: number },
  ): void {
    if (this.isLogDisabled(request)) return
    reply.log.error({ err: error, statusCode }, 'The serializer for the given status code failed')
  }

  serviceUnavailable(logger: Logger, _server: Instance): void {
    logger.info(
      { res: { statusCode: 503 } },
      'request aborted - refusing to accept new requests as server is closing',
    )
  }
}
