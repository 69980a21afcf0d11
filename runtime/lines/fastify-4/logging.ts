import { elapsedTimeOf } from '../../serve/logger.ts'
import { LogController } from '../../serve/line/log-controller.ts'
import type { Failure, Reply, Request } from '../../serve/model.ts'

interface Options {
  readonly disableRequestLogging: boolean
  readonly requestIdLogLabel: string
}

/** Logs as Fastify 4.21. `disableRequestLogging` removes only the lines about a request's start, end and premature close. Errors such as `0` are logged. */
export class Fastify4Logging extends LogController {
  readonly #isQuiet: boolean

  constructor({ disableRequestLogging, requestIdLogLabel }: Options) {
    super({ requestIdLogLabel })
    this.#isQuiet = disableRequestLogging
  }

  override incomingRequest(request: Request, reply: Reply): void {
    if (!this.#isQuiet) super.incomingRequest(request, reply)
  }

  override requestCompleted(error: unknown, request: Request, reply: Reply): void {
    if (this.#isQuiet) return
    if (error || error === null || error === undefined) {
      super.requestCompleted(error, request, reply)
    } else {
      const responseTime = elapsedTimeOf(reply)
      reply.log.error({ res: reply, err: error, responseTime }, 'request errored')
    }
  }

  override defaultErrorLog(error: unknown, request: Request, reply: Reply): void {
    const message = error && (error as Failure).message
    if (reply.statusCode < 500) reply.log.info({ res: reply, err: error }, message)
    else reply.log.error({ req: request, res: reply, err: error }, message)
  }

  override streamError(error: unknown, request: Request, reply: Reply): void {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      super.streamError(error, request, reply)
    } else if (!this.#isQuiet) {
      reply.log.info({ res: reply.raw }, 'stream closed prematurely')
    }
  }
}
