import { errorCodes } from '../../errors/index.ts'
import type { RawReply, Reply } from '../model.ts'
import { kEndWith, kReplyHeaders, kReplyStartTime, kReplyTrailers, kWriteHead } from '../symbols.ts'
import { sendStream, type FailReply } from './send-stream.ts'
import { announceTrailers, endWithTrailers } from './trailers.ts'

/**
 * Writes the response: head, payload, trailers.
 *
 * @param fail what happens to a stream that fails before its first byte
 * @throws FST_ERR_REP_INVALID_PAYLOAD_TYPE for anything but a string, a buffer, a stream or nothing
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
  // A HEAD request is told the length of what it does not get.
  if (!announced || (reply.request.raw.method !== 'HEAD' && Number(announced) !== length)) {
    headers['content-length'] = `${length}`
  }
  // Each character that is not ASCII has more bytes.
  const isAscii = writeHead(reply) && length === payload.length
  if (isCutOff(reply) || !endWith(raw, payload, isAscii)) {
    raw.write(payload)
    raw.end(null, null as never, undefined)
  }
}

/** Ends with a payload at once, unless somebody wants to hear of `write`. */
function endWith(raw: RawReply, payload: string | Buffer, isAscii: boolean): boolean {
  if (raw[kEndWith] !== undefined) return raw[kEndWith](payload, isAscii)
  if (Object.hasOwn(raw, 'write')) return false
  raw.end(payload, null as never, undefined)
  return true
}

/**
 * Whether the connection was ended in this very turn, and something waits for the end of the response
 * (`listenForEnd`). Node drops the payload then, and tells of the end only if `end` has nothing to write.
 */
function isCutOff({ [kReplyStartTime]: start, request: { raw } }: Reply): boolean {
  return start !== undefined && raw.httpVersionMajor !== 2 && raw.socket?.destroyed
}

function writeNothing(reply: Reply, payload: undefined | null): void {
  const { raw } = reply
  const { statusCode } = raw
  // RFC 9110, 8.6: no length for 1xx, 204 and 304; a HEAD request keeps the one that it was given.
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

/** Tells whether the head is known to be ASCII. */
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
