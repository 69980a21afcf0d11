import { errorCodes } from '../../errors/index.ts'
import { incomingOf, outgoingOf } from '../exchange.ts'
import type { Reply } from '../model.ts'
import { kReplyHeaders, kReplyStartTime, kReplyTrailers, kRoute } from '../symbols.ts'
import { holdErrors, isStream } from '../streams.ts'
import { type Endable, endStream, sendStream, type FailReply } from './send-stream.ts'
import { announceTrailers, endWithTrailers } from './trailers.ts'
import { bodyOf, isWebPayload, isWebStream, toNodeStream } from './web-payload.ts'

/**
 * Writes the response: head, payload, trailers.
 *
 * @param fail called if a stream fails before its first byte
 * @throws FST_ERR_REP_INVALID_PAYLOAD_TYPE unless the payload is a string, a buffer, a stream, a `Response` or missing
 */
export function writePayload(reply: Reply, payload: unknown, fail: FailReply): void {
  const { raw } = reply
  if (isWebPayload(payload)) payload = bodyOf(reply, payload)
  if (forbidsContent(raw.statusCode)) {
    leaveOutContent(reply, payload)
    payload = null
  }
  if (isWebStream(payload)) payload = toNodeStream(payload, reply)
  if (reply[kReplyTrailers] !== null) announceTrailers(reply, reply[kReplyTrailers])
  if (payload === undefined || payload === null) {
    writeNothing(reply, payload)
    return
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    if (!isStream(payload)) {
      throw new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof payload)
    }
    sendStream(payload, reply, fail)
    return
  }
  const content = payload
  if (reply[kReplyTrailers] !== null) {
    writeHead(reply)
    writeContent(reply, content, () => endWithTrailers(reply, content))
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
  const isOver = isCutOff(reply)
  if (isOver && !reply.request[kRoute].line.finishesCutOff) {
    raw.end(payload, null as never, undefined)
  } else if (
    isOver ||
    needsParts(reply, payload) ||
    !outgoingOf(raw).endWith(raw, payload, isAscii)
  ) {
    writeContent(reply, content, () => void raw.end(null, null as never, undefined))
  }
}

const PART_SIZE = 64 * 1024

/** Returns whether a payload is written in parts: a session of HTTP/2 refuses other streams while it holds more than 10 MB. */
function needsParts({ request }: Reply, { length }: string | Buffer): boolean {
  return length > PART_SIZE && request.raw.httpVersionMajor === 2 && request.raw.method !== 'HEAD'
}

function writeContent(reply: Reply, payload: string | Buffer, done: () => void): void {
  const { raw } = reply
  if (!needsParts(reply, payload)) {
    raw.write(payload)
    done()
    return
  }
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  let start = 0
  writeParts()

  function writeParts(): void {
    while (start < bytes.length) {
      const end = start + PART_SIZE
      const isFull = !raw.write(bytes.subarray(start, end))
      start = end
      if (isFull) {
        raw.once('drain', writeParts)
        return
      }
    }
    done()
  }
}

/** RFC 9110, sections 15.2 and 15.3.5: 1xx and 204 have no content. Neither has 205, but Fastify sends what the handler does. */
export function forbidsContent(statusCode: number): boolean {
  return statusCode === 204 || statusCode < 200
}

/** Ends a payload that isn't sent, and removes the headers that describe it. */
function leaveOutContent(reply: Reply, payload: unknown): void {
  if (isWebStream(payload)) {
    // Whoever has locked it ends it.
    if (!payload.locked) void payload.cancel().catch(() => {})
  } else if (payload !== null && payload !== undefined && isStream(payload)) {
    holdErrors(payload, reply)
    endStream(payload as Endable, reply.log)
  }
  const headers = reply[kReplyHeaders]
  const { raw } = reply.request
  // Without a length of 0, some browsers wait for a body, so @fastify/cors sets it. HEAD routes set it for any empty payload.
  const announcesNothing = Number(headers['content-length']) === 0 && raw.method !== 'HEAD'
  for (const name of ['content-type', 'content-length', 'transfer-encoding', 'trailer']) {
    delete headers[name]
  }
  if (announcesNothing) headers['content-length'] = '0'
  reply[kReplyTrailers] = null
}

/**
 * Returns whether the connection was just destroyed and `listenForEnd` waits for the response. In this case Node drops the payload, and
 * only emits `finish` if `end` has nothing to write.
 */
function isCutOff({ [kReplyStartTime]: start, request: { raw } }: Reply): boolean {
  return start !== undefined && incomingOf(raw).isCutOff(raw)
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
    return outgoingOf(raw).writeHead(raw, reply[kReplyHeaders])
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
