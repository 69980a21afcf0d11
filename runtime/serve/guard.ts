import { reasonPhrases } from '../errors/reason-phrases.ts'
import { serializeError } from '../errors/error-serializer.ts'
import { logFailure } from './logger.ts'
import type { Reply, Request } from './model.ts'
import {
  kReplyGuarded,
  kReplyHeaders,
  kReplyInErrorHook,
  kReplyIsError,
  kReplyNextErrorHandler,
} from './symbols.ts'

/** Where the lifecycle of a request goes on: with an error, or without one and with what it has come to. */
export type Step = (error: unknown, request: Request, reply: Reply, payload?: unknown) => void

/**
 * Goes on with a request after a function of the application has called back.
 *
 * If it calls back at once, what the step throws goes through that function, as on Fastify. If it calls back later, there is
 * nobody who would catch it but the event loop, which ends the process: it is answered here.
 */
export function resume(
  step: Step,
  error: unknown,
  request: Request,
  reply: Reply,
  payload?: unknown,
): void {
  if (reply[kReplyGuarded]) step(error, request, reply, payload)
  else guard(step, error, request, reply, payload)
}

/** Takes a step of a request; what it throws is answered. Whatever enters a request from the event loop enters here. */
export function guard(
  step: Step,
  error: unknown,
  request: Request,
  reply: Reply,
  payload?: unknown,
): void {
  const isNested = reply[kReplyGuarded]
  reply[kReplyGuarded] = true
  try {
    step(error, request, reply, payload)
  } catch (thrown) {
    sendThrown(thrown, reply)
  }
  reply[kReplyGuarded] = isNested
}

const LOG_FAILED = 'a request failed, and its error cannot be logged with what belongs to it'

/** Answers with the error. Each one that this leads to goes one error handler further, and at last past all of them. */
function sendThrown(error: unknown, reply: Reply): void {
  while (!reply.sent && !reply.raw.headersSent) {
    // Another error is on its way to the client already.
    if (reply[kReplyInErrorHook]) {
      logFailure(reply.log, error, 'a request failed twice')
      return
    }
    const handler = reply[kReplyNextErrorHandler]
    if (handler === 'none') {
      sendMinimalError(reply)
      break
    }
    reply[kReplyIsError] = true
    try {
      reply.send(error)
      return
    } catch (thrown) {
      error = thrown
      // No handler is left that would log it.
      if (reply[kReplyNextErrorHandler] === null) logFailure(reply.log, error, LOG_FAILED)
    }
    // It failed before the handler was asked.
    if (reply[kReplyNextErrorHandler] === handler) reply[kReplyNextErrorHandler] = 'none'
  }
  logFailure(reply.log, error, 'a request failed that cannot be answered with the error')
  // Half an answer cannot be mended: the client is to see that it is not whole.
  if (!reply.sent) reply.raw.destroy()
}

/** Answers with nothing that comes from the application. */
function sendMinimalError({ raw, [kReplyHeaders]: headers }: Reply): void {
  const reason = reasonPhrases[500]
  const body = serializeError({ statusCode: 500, error: reason, message: reason })
  for (const name of [...raw.getHeaderNames(), ...Object.keys(headers)]) raw.removeHeader(name)
  raw.statusMessage = reason as string
  raw.writeHead(500, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  raw.end(body)
}
