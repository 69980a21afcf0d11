import { outgoingOf } from '../exchange.ts'
import { guard, type Step } from '../guard.ts'
import { runHooks } from '../hook-runners.ts'
import { now } from '../logger.ts'
import type { Reply, Request } from '../model.ts'
import { kContext, kReplyEndTime, kReplyStartTime, kRoute } from '../symbols.ts'

/** Runs the `onResponse` hooks and logs the request when the response has finished or failed. */
export function listenForEnd(reply: Reply): void {
  reply[kReplyStartTime] = now()
  outgoingOf(reply.raw).onEnd(reply.raw, (error) => {
    reply[kReplyEndTime] = now()
    guard(end, error, reply.request, reply)
  })
}

function end(error: unknown, request: Request, reply: Reply): void {
  const { onResponse, server } = request[kRoute]
  if (onResponse === null) return logEnd(error, request, reply)
  // As in Fastify, the log then gets an error of the hooks, not of the response. `false`: they run although the reply is sent.
  const run = (done: Step): void => runHooks(onResponse, server, request, reply, done, false)
  const { keep } = outgoingOf(reply.raw)
  if (keep === undefined) return run(logEnd)
  const ended = new Promise<void>((resolve) => {
    run((failure) => {
      resolve()
      logEnd(failure, request, reply)
    })
  })
  keep(reply.raw, ended)
}

function logEnd(error: unknown, request: Request, reply: Reply): void {
  reply.server[kContext].app.logging.requestCompleted(error, request, reply)
}
