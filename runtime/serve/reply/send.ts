import { failReply } from '../error-handler.ts'
import { errorCodes } from '../../errors/index.ts'
import { runPayloadHooks } from '../hook-runners.ts'
import type { Reply, Request } from '../model.ts'
import { serialize } from '../serialization.ts'
import { holdErrors, isStream } from '../streams.ts'
import {
  kReplyHeaders,
  kReplyInErrorHook,
  kReplyIsError,
  kReplySerializer,
  kRoute,
} from '../symbols.ts'
import { isWebPayload } from './web-payload.ts'
import { writePayload } from './write-payload.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const BINARY_TYPE = 'application/octet-stream'

/**
 * Sends a payload. Errors go to the error handlers, values to serialize through `preSerialization` hooks and the serializer. The result
 * goes through `onSend` hooks to the client.
 *
 * @throws FST_ERR_SEND_INSIDE_ONERR
 */
export function send(reply: Reply, payload: unknown): void {
  if (reply[kReplyInErrorHook]) throw new errorCodes.FST_ERR_SEND_INSIDE_ONERR()
  if (reply.sent) {
    const { url, method } = reply.request
    holdErrors(payload, reply)
    reply.log.warn({ err: new errorCodes.FST_ERR_REP_ALREADY_SENT(url, method) })
    return
  }
  if (reply[kReplyIsError] || payload instanceof Error) {
    reply[kReplyIsError] = false
    failReply(reply, payload, runOnSend)
    return
  }
  if (payload === undefined) {
    runOnSend(reply, payload)
    return
  }
  const headers = reply[kReplyHeaders]
  const { line } = reply.request[kRoute]
  const type = headers['content-type']
  const given: unknown = type === undefined ? reply.raw.getHeader('content-type') : type
  const contentType = line.isType(given) ? given : undefined
  if (typeof payload === 'string') {
    if (contentType === undefined) {
      headers['content-type'] = TEXT_TYPE
      runOnSend(reply, payload)
      return
    }
  } else if (payload !== null) {
    if (isStream(payload)) {
      runOnSend(reply, payload)
      return
    }
    if (isWebPayload(payload)) {
      runOnSend(reply, payload)
      return
    }
    if (isBinary(payload)) {
      if (contentType === undefined) headers['content-type'] = BINARY_TYPE
      runOnSend(reply, Buffer.isBuffer(payload) ? payload : toBuffer(payload))
      return
    }
  }
  if (reply[kReplySerializer] !== null) {
    if (typeof payload === 'string') runOnSend(reply, reply[kReplySerializer](payload))
    else runPreSerialization(reply, payload)
    return
  }
  const jsonType = contentType === undefined ? JSON_TYPE : line.toJsonType(contentType)
  if (jsonType !== undefined) {
    headers['content-type'] = jsonType
    if (typeof payload !== 'string') {
      runPreSerialization(reply, payload)
      return
    }
  }
  runOnSend(reply, payload)
}

function isBinary(payload: unknown): payload is ArrayBufferView<ArrayBuffer> {
  return (payload as { buffer?: unknown }).buffer instanceof ArrayBuffer
}

/** Converts only the bytes of the view: its buffer may be a pool with the data of other requests. */
function toBuffer({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function runPreSerialization(reply: Reply, payload: unknown): void {
  const { preSerialization, server } = reply.request[kRoute]
  if (preSerialization === null) serializePayload(null, reply.request, reply, payload)
  else {
    runPayloadHooks(preSerialization, server, reply.request, reply, payload, serializePayload)
  }
}

function serializePayload(error: unknown, request: Request, reply: Reply, payload: unknown): void {
  if (error !== null && error !== undefined) {
    failReply(reply, error, runOnSend)
    return
  }
  const route = request[kRoute]
  let text: unknown
  try {
    if (reply[kReplySerializer] !== null) text = reply[kReplySerializer](payload)
    else if (route.replySerializer) text = route.replySerializer(payload, reply.raw.statusCode)
    else {
      const contentType = reply[kReplyHeaders]['content-type'] as string | undefined
      text = serialize(route, payload, reply.raw.statusCode, contentType)
    }
  } catch (failure) {
    ;(failure as { serialization?: unknown }).serialization = route.config
    failReply(reply, failure, runOnSend)
    return
  }
  runOnSend(reply, text)
}

function runOnSend(reply: Reply, payload: unknown): void {
  const { onSend, onSendServer } = reply.request[kRoute]
  if (onSend === null) writePayload(reply, payload, fail)
  else {
    holdErrors(payload, reply)
    runPayloadHooks(onSend, onSendServer, reply.request, reply, payload, endOnSend)
  }
}

function endOnSend(error: unknown, _request: Request, reply: Reply, payload: unknown): void {
  if (error !== null && error !== undefined) failReply(reply, error, runOnSend)
  else writePayload(reply, payload, fail)
}

/** Answers with the error of a stream that failed before its first byte. */
function fail(reply: Reply, error: unknown): void {
  failReply(reply, error, runOnSend)
}
