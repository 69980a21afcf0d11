/**
 * Error boundary of a request. Every step of a request that the event loop or a callback starts runs inside `guard` or `resume`, so
 * that an error is answered instead of ending the process.
 */
import { reasonPhrases } from '../errors/reason-phrases.ts'
import { serializeError } from '../errors/error-serializer.ts'
import { cutOff } from './streams.ts'
import { logFailure } from './logger.ts'
import type { Reply, Request } from './model.ts'
import {
  kReplyGuarded,
  kReplyHeaders,
  kReplyInErrorHook,
  kReplyIsError,
  kReplyNextErrorHandler,
  kRoute,
} from './symbols.ts'

/** A step of the lifecycle, with the error of the step before. */
export type Step = (error: unknown, request: Request, reply: Reply, payload?: unknown) => void

/**
 * Runs a step after a function of the application has called back.
 *
 * If it called back synchronously, errors are thrown through it, as in Fastify. Otherwise only the event loop would catch them, and end
 * the process, so they are answered here.
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

/** Runs a step, and answers what it throws. */
export function guard(
  step: Step,
  error: unknown,
  request: Request,
  reply: Reply,
  payload?: unknown,
): void {
  const wasGuarded = reply[kReplyGuarded]
  reply[kReplyGuarded] = true
  try {
    step(error, request, reply, payload)
  } catch (thrown) {
    sendThrown(thrown, reply)
  }
  reply[kReplyGuarded] = wasGuarded
}

const LOG_FAILED = 'a request failed, and its error cannot be logged with request and reply'

/** Answers a thrown error. If that throws as well, the next error handler gets the new error. The last answer needs no handler. */
function sendThrown(error: unknown, reply: Reply): void {
  // Fastify 5 calls the error handlers even if the headers were sent, then destroys the response.
  const { destroysStarted } = reply.request[kRoute].line
  while (!reply.sent && (destroysStarted || !reply.raw.headersSent)) {
    // Another error is being sent already.
    if (reply[kReplyInErrorHook]) {
      logFailure(reply.log, error, 'a request failed twice')
      return
    }
    const handler = reply[kReplyNextErrorHandler]
    if (handler === 'none') {
      if (!reply.raw.headersSent) sendMinimalError(reply)
      break
    }
    reply[kReplyIsError] = true
    try {
      reply.send(error)
      return
    } catch (thrown) {
      error = thrown
      // No handler is left to log it.
      if (reply[kReplyNextErrorHandler] === null) logFailure(reply.log, error, LOG_FAILED)
    }
    // It failed before it reached the handler.
    if (reply[kReplyNextErrorHandler] === handler) reply[kReplyNextErrorHandler] = 'none'
  }
  logFailure(reply.log, error, 'a request failed, and its error cannot be sent')
  // Part of an answer was sent: destroying it tells the client that it is incomplete.
  if (!reply.sent) cutOff(reply.raw, error as Error)
}

/** Answers without headers or code of the application. */
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
