/** Sends the return value of handlers and error handlers, or of their promises. */
import { keepAlive } from './exchange.ts'
import { guard } from './guard.ts'
import { isThenable } from './hook-runners.ts'
import type { Tracing } from './line/index.ts'
import type { Failure, Reply, Request } from './model.ts'
import { holdErrors } from './streams.ts'
import { kReplyHijacked, kReplyIsError, kRoute } from './symbols.ts'

/** Sends a return value. `undefined` means that the function sends the reply itself. */
export function sendResult(result: unknown, reply: Reply): void {
  if (result === undefined) return
  if (isThenable(result)) sendWhenSettled(result, reply)
  else reply.send(result)
}

/** Sends the error of a promise, and ignores its value. */
export function sendRejection(result: unknown, reply: Reply): void {
  if (!isThenable(result)) return
  // A reply is a thenable as well, and its `then` needs a function as its first argument.
  result.then(
    (value) => holdErrors(value, reply),
    (error) => guard(sendRejected, error, reply.request, reply),
  )
}

function sendWhenSettled(result: PromiseLike<unknown>, reply: Reply): void {
  const { tracing } = reply.request[kRoute].line
  if (tracing !== undefined) {
    sendTraced(result, reply, tracing)
    return
  }
  const sent = result.then(
    (payload) => guard(sendFulfilled, null, reply.request, reply, payload),
    (error) => guard(sendRejected, error, reply.request, reply),
  )
  keepAlive(reply.raw, sent)
}

function sendTraced(result: PromiseLike<unknown>, reply: Reply, tracing: Tracing): void {
  tracing.onPromise(reply)
  const { request } = reply
  const sent = result.then(
    (payload) => {
      if (reply[kReplyHijacked]) return holdErrors(payload, reply)
      tracing.settle(reply, () => guard(sendFulfilled, null, request, reply, payload))
    },
    (error) => {
      tracing.onError(reply, error as Failure)
      tracing.settle(reply, () => guard(sendRejected, error, request, reply))
    },
  )
  keepAlive(reply.raw, sent)
}

function sendFulfilled(_error: unknown, _request: Request, reply: Reply, payload: unknown): void {
  if (reply[kReplyHijacked]) return holdErrors(payload, reply)
  // An async handler that has called `reply.send` resolves with `undefined`, and the request may have been aborted meanwhile.
  if (payload === undefined && !isUnanswered(reply)) return
  reply.send(payload)
}

/** Sends an error. If the reply was sent already, logs it. */
export function sendRejected(error: unknown, _request: Request, reply: Reply): void {
  if (reply.sent) {
    reply.log.error({ err: error }, 'Promise errored, but reply.sent = true was set')
    return
  }
  reply[kReplyIsError] = true
  reply.send(error)
}

function isUnanswered(reply: Reply): boolean {
  const { line } = reply.request[kRoute]
  const { aborted, socket } = reply.request.raw
  if (reply.sent || reply.raw.headersSent || aborted !== false) return false
  return line.finishesCutOff || (Boolean(socket) && !socket.destroyed)
}
