import { errorCodes } from '../errors/index.ts'
import { serializeError } from '../errors/error-serializer.ts'
import { resume } from './guard.ts'
import { runPayloadHooks } from './hook-runners.ts'
import type { ErrorHandlerFunction, Failure, Reply, Request, SerializerFunction } from './model.ts'
import { reasonPhrases } from '../errors/reason-phrases.ts'
import { getSerializer } from './serialization.ts'
import {
  kContext,
  kReplyHasStatusCode,
  kReplyHeaders,
  kReplyInErrorHook,
  kReplyNextErrorHandler,
  kRoute,
} from './symbols.ts'
import { sendResult } from './send-result.ts'

/** An error handler and the one that handles its own errors: the handlers of the route and of its contexts, innermost first. */
export class ErrorHandler {
  readonly func: ErrorHandlerFunction
  readonly parent: ErrorHandler | null

  constructor(func: ErrorHandlerFunction, parent: ErrorHandler | null) {
    this.func = func
    this.parent = parent
  }

  /** The text in `printRoutes`. */
  toJSON(): string {
    return `${this.func.name}()`
  }
}

export const rootErrorHandler: ErrorHandler = new ErrorHandler(defaultErrorHandler, null)

/** Sends the payload of an error, with or without `onSend` hooks. */
type SendPayload = (reply: Reply, payload: unknown) => void

/** Answers with an error: runs the `onError` hooks for the first error of a request, then the next error handler. */
export function failReply(reply: Reply, error: unknown, sendPayload: SendPayload): void {
  const route = reply.request[kRoute]
  const next = reply[kReplyNextErrorHandler]
  // If sending the fallback's payload fails, the hooks get that error too.
  if (route.onError !== null && (next === undefined || next === false)) {
    reply[kReplyInErrorHook] = true
    runPayloadHooks(route.onError, route.server, reply.request, reply, error, handle)
  } else {
    resume(handle, null, reply.request, reply)
  }

  // The outcome of the hooks is ignored.
  function handle(): void {
    handleError(reply, error as Failure, sendPayload)
  }
}

function handleError(reply: Reply, error: Failure, sendPayload: SendPayload): void {
  reply[kReplyInErrorHook] = false
  const next = reply[kReplyNextErrorHandler]
  if (next === false || next === 'none') {
    reply[kReplyNextErrorHandler] = 'none'
    fallback(error, reply, (one, payload) => endWithPayload(one, payload, error))
    return
  }
  // The handler's payload gets its own content type and length.
  const headers = reply[kReplyHeaders]
  delete headers['content-type']
  delete headers['content-length']
  if (next === null) {
    reply[kReplyNextErrorHandler] = false
    fallback(error, reply, sendPayload)
    return
  }
  const { func, parent } = next ?? reply.request[kRoute].errorHandler
  // An error of this handler goes to its parent.
  reply[kReplyNextErrorHandler] = parent
  try {
    sendResult(func(error, reply.request, reply), reply)
  } catch (thrown) {
    if (!reply.request[kRoute].line.sendsThrown) throw thrown
    reply.send(thrown)
  }
}

function defaultErrorHandler(error: Failure, request: Request, reply: Reply): void {
  setErrorStatusAndHeaders(error, reply)
  if (!reply[kReplyHasStatusCode] || reply.statusCode === 200) {
    reply.code(request[kRoute].line.statusOf(error))
  }
  request.server[kContext].app.logging.defaultErrorLog(error, request, reply)
  reply.send(error)
}

function setErrorStatusAndHeaders(error: Failure | null | undefined, reply: Reply): void {
  const { line } = reply.request[kRoute]
  let { statusCode } = reply.raw
  if (!line.isErrorStatus(statusCode)) statusCode = 500
  if (error !== null && error !== undefined) {
    if (error.headers !== undefined) reply.headers(error.headers)
    statusCode = line.rawStatusOf(error) ?? statusCode
  }
  reply.raw.statusCode = statusCode
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers an error that no handler has answered: with the serializer of the status, or with the standard payload. */
function fallback(error: Failure, reply: Reply, sendPayload: SendPayload): void {
  // The default handler may have failed before it set a status.
  if (reply.statusCode < 400) reply.code(500)
  const { statusCode } = reply
  const reason = reasonPhrases[statusCode]
  const { [kReplyHeaders]: headers, request } = reply
  const { line } = request[kRoute]
  if (line.keepsErrorType) headers['content-type'] ??= JSON_TYPE
  let payload: unknown
  try {
    const serialize = getSerializer(
      request[kRoute],
      statusCode,
      (headers['content-type'] as string) || JSON_TYPE,
    )
    if (serialize === null) {
      payload = serializeError({
        error: reason,
        code: line.toErrorText(error.code),
        message: line.toErrorText(error.message),
        statusCode,
      })
    } else {
      payload = (serialize as SerializerFunction)(
        Object.create(error, {
          error: { value: reason },
          message: { value: error.message },
          statusCode: { value: statusCode },
        }),
      )
    }
  } catch (failure) {
    const { statusCode } = reply.raw
    request.server[kContext].app.logging.serializerError(failure, request, reply, { statusCode })
    reply.code(500)
    payload = serializeError(
      new errorCodes.FST_ERR_FAILED_ERROR_SERIALIZATION((failure as Error).message, error.message),
    )
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    payload = serializeError(new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof payload))
  }
  if (!line.keepsErrorType) headers['content-type'] = JSON_TYPE
  headers['content-length'] = `${Buffer.byteLength(payload as string | Buffer)}`
  sendPayload(reply, payload)
}

/** Answers without hooks, after an answer with hooks has failed. */
function endWithPayload(reply: Reply, payload: unknown, cause: Error): void {
  const { raw } = reply
  const { destroysStarted } = reply.request[kRoute].line
  if (destroysStarted && (raw.headersSent || raw.destroyed)) {
    raw.destroy(cause)
    return
  }
  try {
    raw.writeHead(raw.statusCode, reply[kReplyHeaders])
  } catch (error) {
    reply.server[kContext].app.logging.writeHeadError(error, reply.request, reply)
    if (destroysStarted && (error as Failure).code === 'ERR_HTTP_HEADERS_SENT') {
      raw.destroy(error as Error)
      return
    }
    raw.writeHead(raw.statusCode)
  }
  raw.end(payload)
}
