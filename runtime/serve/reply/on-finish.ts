import { guard } from '../guard.ts'
import { runResponseHooks } from '../hook-runners.ts'
import { now } from '../logger.ts'
import type { Reply, Request } from '../model.ts'
import { kContext, kReplyEndTime, kReplyStartTime, kRoute } from '../symbols.ts'

/** Runs the `onResponse` hooks and logs the request when the response has finished or failed. */
export function listenForEnd(reply: Reply): void {
  reply[kReplyStartTime] = now()
  const onEnd = (error?: unknown): void => {
    // Both events may be emitted.
    if (reply[kReplyEndTime] !== undefined) return
    reply[kReplyEndTime] = now()
    reply.raw.removeListener('error', onEnd)
    guard(end, error, reply.request, reply)
  }
  reply.raw.on('finish', onEnd)
  reply.raw.on('error', onEnd)
}

function end(error: unknown, request: Request, reply: Reply): void {
  const { onResponse, server } = request[kRoute]
  if (onResponse === null) logEnd(error, request, reply)
  else runResponseHooks(onResponse, server, request, reply, logEnd)
}

function logEnd(error: unknown, _request: Request, reply: Reply): void {
  if (reply.server[kContext].app.disableRequestLogging) return
  const responseTime = reply.getResponseTime()
  if (error !== null && error !== undefined) {
    reply.log.error({ res: reply, err: error, responseTime }, 'request errored')
  } else {
    reply.log.info({ res: reply, responseTime }, 'request completed')
  }
}
