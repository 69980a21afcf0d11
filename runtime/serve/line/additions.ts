/** The interfaces of modules that only some lines have. */
import type { Failure, Reply, Request } from '../model.ts'

/** Answers a request whose handler takes too long. */
export type TimeLimit = (request: Request, reply: Reply, milliseconds: number) => void

/** Tells other code of the process about each handler. */
export interface Tracing {
  /** Runs the handler of a request in its own async context, if anybody listens. */
  run(request: Request, reply: Reply, handle: () => void): void
  /** Called with the error of hooks or of the handler. */
  onError(reply: Reply, error: Failure): void
  /** Called when the handler has returned a promise. */
  onPromise(reply: Reply): void
  /** Runs what follows a settled promise. */
  settle(reply: Reply, error: unknown, next: () => void): void
}
