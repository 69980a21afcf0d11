import { isThenable } from './hook-runners.ts'
import type { Reply } from './model.ts'
import { kReplyHijacked, kReplyIsError } from './symbols.ts'

/** Sends what a handler or error handler returned; `undefined` means that it answers by itself. */
export function sendResult(result: unknown, reply: Reply): void {
  if (result === undefined) return
  if (isThenable(result)) sendLater(result, reply)
  else reply.send(result)
}

function sendLater(result: PromiseLike<unknown>, reply: Reply): void {
  result.then(
    (payload) => {
      if (reply[kReplyHijacked]) return
      // An async handler that has called `reply.send` resolves with undefined, and the request may have
      // been aborted meanwhile.
      if (payload === undefined && !isUnanswered(reply)) return
      try {
        reply.send(payload)
      } catch (error) {
        reply[kReplyIsError] = true
        reply.send(error)
      }
    },
    (error) => {
      if (reply.sent) {
        reply.log.error({ err: error }, 'Promise errored, but reply.sent = true was set')
        return
      }
      reply[kReplyIsError] = true
      // An async error handler may throw in its turn: that goes to the next handler.
      try {
        reply.send(error)
      } catch (thrown) {
        reply.send(thrown)
      }
    },
  )
}

function isUnanswered(reply: Reply): boolean {
  return !reply.sent && !reply.raw.headersSent && reply.request.raw.aborted === false
}
