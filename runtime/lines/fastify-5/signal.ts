/** `request.signal` and the route option `handlerTimeout`. */
import { errors } from '../../errors/fastify-5.ts'
import { guard } from '../../serve/guard.ts'
import type { TimeLimit } from '../../serve/line/index.ts'
import type { Reply, Request } from '../../serve/model.ts'
import { onAbort } from '../../serve/on-abort.ts'
import { kRawReply, kReplyIsError, kRoute } from '../../serve/symbols.ts'

interface Limited {
  readonly controller: AbortController
  timer: NodeJS.Timeout | undefined
  isReleased: boolean
}

const known = new WeakMap<Request, Limited>()

/** Returns the controller of the request's signal. */
export function controllerOf(request: Request): AbortController {
  return limitedOf(request).controller
}

function limitedOf(request: Request): Limited {
  const present = known.get(request)
  if (present !== undefined) return present
  const controller = new AbortController()
  const limited: Limited = { controller, timer: undefined, isReleased: false }
  onAbort(request.raw, request[kRawReply], () => {
    if (limited.isReleased) return
    controller.abort()
    clearTimeout(limited.timer)
  })
  known.set(request, limited)
  return limited
}

/** Answers 503 if the reply isn't sent in time. */
export const limitTime: TimeLimit = (request, reply, milliseconds) => {
  const limited = limitedOf(request)
  limited.timer = setTimeout(() => {
    // A reply that was hijacked isn't the framework's.
    if (reply.sent) return
    const { url } = request[kRoute].config
    const error = new errors.FST_ERR_HANDLER_TIMEOUT(milliseconds, url)
    limited.controller.abort(error)
    // A listener of the signal may have sent it.
    if (reply.sent) return
    reply[kReplyIsError] = true
    if (reply.raw.headersSent) reply.raw.destroy(error)
    else guard(sendError, error, request, reply)
  }, milliseconds)
  reply.raw.on('finish', () => release(request))
  reply.raw.on('error', () => release(request))
}

/** Ends the time limit: the reply was sent, or isn't the framework's any more. */
export function release(request: Request): void {
  const limited = known.get(request)
  if (limited === undefined) return
  clearTimeout(limited.timer)
  limited.isReleased = true
}

function sendError(error: unknown, _request: Request, reply: Reply): void {
  reply.send(error)
}
