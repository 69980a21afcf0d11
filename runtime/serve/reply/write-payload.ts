import { errorCodes } from '../../errors/index.ts'
import type { RawReply, Reply } from '../model.ts'
import { kEndWith, kReplyHeaders, kReplyStartTime, kReplyTrailers, kWriteHead } from '../symbols.ts'
import { sendStream, type FailReply } from './send-stream.ts'
import { announceTrailers, endWithTrailers } from './trailers.ts'

/**
 * Writes the response: head, payload, trailers.
 *
 * @param fail called if a stream fails before its first byte
 * @throws FST_ERR_REP_INVALID_PAYLOAD_TYPE unless the payload is a string, a buffer, a stream or missing
 */
export function writePayload(reply: Reply, payload: unknown, fail: FailReply): void {
  const { raw } = reply
  if (reply[kReplyTrailers] !== null) announceTrailers(reply, reply[kReplyTrailers])
  if (payload === undefined || payload === null) {
    writeNothing(reply, payload)
    return
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    if (typeof (payload as { pipe?: unknown }).pipe !== 'function') {
      throw new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof payload)
    }
    sendStream(payload as NodeJS.ReadableStream, reply, fail)
    return
  }
  if (reply[kReplyTrailers] !== null) {
    writeHead(reply)
    raw.write(payload)
    endWithTrailers(reply, payload)
    return
  }
  const headers = reply[kReplyHeaders]
  const length = Buffer.byteLength(payload)
  const announced = headers['content-length']
  // For HEAD, the length is that of the GET response.
  if (!announced || (reply.request.raw.method !== 'HEAD' && Number(announced) !== length)) {
    headers['content-length'] = `${length}`
  }
  // Other characters than ASCII take more than one byte.
  const isAscii = writeHead(reply) && length === payload.length
  if (isCutOff(reply) || !endWith(raw, payload, isAscii)) {
    raw.write(payload)
    raw.end(null, null as never, undefined)
  }
}

/** Ends the response with the payload. Returns false if `write` was replaced, and has to be called. */
function endWith(raw: RawReply, payload: string | Buffer, isAscii: boolean): boolean {
  if (raw[kEndWith] !== undefined) return raw[kEndWith](payload, isAscii)
  if (Object.hasOwn(raw, 'write')) return false
  raw.end(payload, null as never, undefined)
  return true
}

/**
 * Returns whether the connection was just destroyed and `listenForEnd` waits for the response. In this case Node drops the payload, and
 * only emits `finish` if `end` has nothing to write.
 */
function isCutOff({ [kReplyStartTime]: start, request: { raw } }: Reply): boolean {
  return start !== undefined && raw.httpVersionMajor !== 2 && raw.socket?.destroyed
}

function writeNothing(reply: Reply, payload: undefined | null): void {
  const { raw } = reply
  const { statusCode } = raw
  // RFC 9110, section 8.6: no length for 1xx, 204 and 304. HEAD keeps the length that was set.
  if (
    statusCode >= 200 &&
    statusCode !== 204 &&
    statusCode !== 304 &&
    reply.request.method !== 'HEAD' &&
    reply[kReplyTrailers] === null
  ) {
    reply[kReplyHeaders]['content-length'] = '0'
  }
  writeHead(reply)
  if (reply[kReplyTrailers] === null) raw.end(null, null as never, undefined)
  else endWithTrailers(reply, payload)
}

/** Returns whether the head is known to be ASCII. */
function writeHead(reply: Reply): boolean {
  const { raw } = reply
  try {
    const headers = reply[kReplyHeaders]
    if (raw[kWriteHead] !== undefined) return raw[kWriteHead](headers)
    raw.writeHead(raw.statusCode, headers)
    return false
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_HTTP_HEADERS_SENT') {
      const { url, method } = reply.request.raw
      reply.log.warn(
        `Reply was already sent, did you forget to "return reply" in the "${url}" (${method}) route?`,
      )
    }
    throw error
  }
}
