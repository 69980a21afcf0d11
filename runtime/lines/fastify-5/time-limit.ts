/** The route option `handlerTimeout`. */
import { errors } from '../../errors/fastify-5.ts'
import { guard } from '../../serve/guard.ts'
import type { TimeLimit } from '../../serve/line/index.ts'
import { releaseSignal, signalStateOf } from '../../serve/fastify-5/signal.ts'
import type { Reply, Request } from '../../serve/model.ts'
import { kReplyIsError, kRoute } from '../../serve/symbols.ts'

/** Answers 503 if the reply isn't sent in time, or ends a response that has begun. */
export const limitTime: TimeLimit = (request, reply, milliseconds) => {
  const state = signalStateOf(request)
  const { url } = request[kRoute].config
  state.timer = setTimeout(() => {
    // `sent` is also true for a hijacked reply.
    if (reply.sent) return
    const error = new errors.FST_ERR_HANDLER_TIMEOUT(milliseconds, url)
    state.controller.abort(error)
    // A listener of the signal may have sent the reply.
    if (reply.sent) return
    if (reply.raw.headersSent) {
      // A later reply of the handler goes to the error handlers, as in Fastify.
      reply[kReplyIsError] = true
      reply.raw.destroy(error)
    } else guard(sendError, error, request, reply)
  }, milliseconds)
  reply.raw.on('finish', () => releaseSignal(request))
  reply.raw.on('error', () => releaseSignal(request))
}

function sendError(error: unknown, _request: Request, reply: Reply): void {
  reply.send(error)
}
