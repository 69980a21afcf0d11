import { errorCodes } from '../errors/index.ts'
import { guard } from './guard.ts'
import type { Failure, PayloadStream, Reply, Request } from './model.ts'
import type { Parser } from './content-type-parsers.ts'
import { kPayloadStream, kReplyIsError, kRoute } from './symbols.ts'

/** Returns the stream of the body: the request itself, unless a `preParsing` hook has replaced it. */
export function payloadOf(request: Request): PayloadStream {
  return request[kPayloadStream] || request.raw
}

/** Reads the whole body. Answers with an error if it is too large, incomplete, or longer than its `content-length`. */
export function readBody(
  request: Request,
  reply: Reply,
  parser: Parser,
  onBody: (body: string | Buffer) => void,
): void {
  const { bodyLimit, line } = request[kRoute]
  const limit = bodyLimit ?? (parser.bodyLimit as number)
  const announced = request.headers['content-length']
  const contentLength = announced === undefined ? Number.NaN : Number(announced)
  if (contentLength > limit) {
    // The client sends the body anyway, so the connection can't be reused.
    reply.header('connection', 'close')
    reply.send(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let receivedLength = 0
  const chunks: Buffer[] = []
  const payload = payloadOf(request)
  const isReplaced = payload !== request.raw
  payload.on('data', onData)
  payload.on('end', onEnd)
  payload.on('error', onEnd)
  if (isReplaced) {
    payload.on('close', onClose)
    if (isOver(payload)) process.nextTick(onClose)
  }
  payload.resume()

  function stop(): void {
    payload.removeListener('data', onData)
    payload.removeListener('end', onEnd)
    payload.removeListener('error', onEnd)
    if (!isReplaced) return
    payload.removeListener('close', onClose)
    // A decoding stream may still fail after the answer 413.
    payload.on('error', (error: unknown) => reply.log.debug(error))
  }

  function onData(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (!(bytes instanceof Uint8Array)) {
      onEnd(new TypeError('The stream of the body contains neither text nor bytes'))
      return
    }
    receivedLength += bytes.length
    // The limit applies to encoded and decoded bytes: a few encoded bytes may unpack to a gigabyte.
    if (receivedLength > limit || (payload.receivedEncodedLength ?? 0) > limit) {
      stop()
      guard(refuse, null, request, reply)
      return
    }
    chunks.push(bytes)
  }

  function refuse(): void {
    if (line.closesAfterBodyErrors) reply.header('connection', 'close')
    reply.send(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  }

  /** Streams of the application may be closed without `end` and without `error`. */
  function onClose(): void {
    if (!payload.listeners('end').includes(onEnd)) return
    const { errored } = payload as { errored?: Error | null }
    onEnd(errored ?? new Error('Premature close'))
  }

  function onEnd(error?: Error): void {
    stop()
    guard(end, error, request, reply)
  }

  function end(error: unknown): void {
    if (error !== undefined) {
      const failure = error as Failure
      if (!(typeof failure.statusCode === 'number' && failure.statusCode >= 400)) {
        failure.statusCode = 400
      }
      reply[kReplyIsError] = true
      if (line.closesAfterBodyErrors) reply.header('connection', 'close')
      else reply.code(failure.statusCode)
      reply.send(failure)
      return
    }
    const [first] = chunks
    const isWhole = chunks.length === 1 && Buffer.isBuffer(first)
    // A buffer is always copied: the chunk is a view of a pool that the socket reads into.
    const bytes = parser.asString && isWhole ? first : Buffer.concat(chunks)
    const body = parser.asString ? bytes.toString() : bytes
    const received = line.countsReceivedBytes ? receivedLength : Buffer.byteLength(body)
    const length = payload.receivedEncodedLength || received
    if (!Number.isNaN(contentLength) && length !== contentLength) {
      reply.header('connection', 'close')
      reply.send(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      return
    }
    onBody(body)
  }
}

function isOver(stream: PayloadStream): boolean {
  const { destroyed, readableEnded } = stream as { destroyed?: boolean; readableEnded?: boolean }
  return destroyed === true || readableEnded === true
}
