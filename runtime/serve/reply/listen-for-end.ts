import { outgoingOf } from '../exchange.ts'
import { guard } from '../guard.ts'
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
  if (onResponse === null) logEnd(error, request, reply)
  // As in Fastify, the log then gets an error of the hooks, not of the response. `false`: they run although the reply is sent.
  else runHooks(onResponse, server, request, reply, logEnd, false)
}

function logEnd(error: unknown, request: Request, reply: Reply): void {
  reply.server[kContext].app.logging.requestCompleted(error, request, reply)
}
