import { errorCodes } from '../../errors/index.ts'
import { headerOf, incomingOf } from '../exchange.ts'
import { guard } from '../guard.ts'
import type { Failure, PayloadStream, Reply, Request } from '../model.ts'
import type { Parser } from '../content-type-parsers.ts'
import { failureOf } from '../streams.ts'
import { kPayloadStream, kReplyIsError, kRoute } from '../symbols.ts'

/** Returns the stream of the body: the request itself, unless a `preParsing` hook has replaced it. */
export function payloadOf(request: Request): PayloadStream {
  return request[kPayloadStream] || request.raw
}

/** Answers with an error of the body, and closes the connection, because the client may send more of it. */
export function failBody(reply: Reply, error: unknown): void {
  if (reply.request.raw.httpVersionMajor !== 2) reply.header('connection', 'close')
  reply[kReplyIsError] = true
  reply.send(error)
}

/**
 * Reads the whole body.
 *
 * @param onError answers with an error: the body is too large, incomplete, or not as long as its `content-length`
 * @returns false if an event of a stream calls `onBody` or `onError`, in another async context
 */
export function readBody(
  request: Request,
  reply: Reply,
  parser: Parser,
  onBody: (body: string | Buffer) => void,
  onError: (error: Error) => void,
): boolean {
  const { bodyLimit, line } = request[kRoute]
  const limit = bodyLimit ?? (parser.bodyLimit as number)
  const announced = headerOf(request, 'content-length')
  const contentLength = announced === undefined ? Number.NaN : Number(announced)
  if (contentLength > limit) {
    onError(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return true
  }
  const payload = payloadOf(request)
  const isReplaced = payload !== request.raw
  let receivedLength = 0
  const chunks: Buffer[] = []
  // Hosted platforms have the whole body at hand. One of unknown length is read in chunks instead, to stop at the limit.
  if (!isReplaced && contentLength <= limit) {
    const { raw } = request
    const asString = parser.asString && !line.countsReceivedBytes
    if (incomingOf(raw).readWhole(raw, asString, onWhole, onFailure)) return true
  }
  if (!isReplaced && incomingOf(request.raw).readChunks(request.raw, onData, onEnd)) return false
  payload.on('data', onData)
  payload.on('end', onEnd)
  payload.on('error', onEnd)
  if (isReplaced) {
    payload.on('close', onClose)
    if (failureOf(payload) !== undefined || isOver(payload)) process.nextTick(onClose)
  }
  payload.resume()
  return false

  function stop(): void {
    payload.removeListener('data', onData)
    payload.removeListener('end', onEnd)
    payload.removeListener('error', onEnd)
    if (isReplaced) payload.removeListener('close', onClose)
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
    onError(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  }

  /** Streams of the application may be closed without `end` and without `error`. */
  function onClose(): void {
    if (!payload.listeners('end').includes(onEnd)) return
    const { errored } = payload as { errored?: Error | null }
    onEnd((failureOf(payload) as Error | undefined) ?? errored ?? new Error('Premature close'))
  }

  function onEnd(error?: Error): void {
    stop()
    if (error === undefined) guard(join, null, request, reply)
    else onFailure(error)
  }

  function onWhole(body: string | Buffer): void {
    receivedLength = Buffer.byteLength(body)
    guard(take, null, request, reply, parser.asString ? body.toString() : body)
  }

  function onFailure(error: Error): void {
    guard(fail, error, request, reply)
  }

  function fail(error: unknown): void {
    const failure = toBadRequest(error)
    if (!line.takesAnyBodyError) reply.code(failure.statusCode as number)
    onError(failure)
  }

  function join(): void {
    const [first] = chunks
    const isWhole = chunks.length === 1 && Buffer.isBuffer(first)
    // A buffer is always copied: the chunk is a view of a pool that the socket reads into.
    const bytes = parser.asString && isWhole ? first : Buffer.concat(chunks)
    take(null, request, reply, parser.asString ? bytes.toString() : bytes)
  }

  function take(_error: unknown, _request: Request, _reply: Reply, given: unknown): void {
    const body = given as string | Buffer
    const received = line.countsReceivedBytes ? receivedLength : Buffer.byteLength(body)
    const length = payload.receivedEncodedLength || received
    if (!Number.isNaN(contentLength) && length !== contentLength) {
      onError(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      return
    }
    onBody(body)
  }
}

/** Gives an error of the body the status 400, unless it has one of its own. */
export function toBadRequest(error: unknown): Failure {
  const failure = error as Failure
  if (!(typeof failure.statusCode === 'number' && failure.statusCode >= 400)) {
    failure.statusCode = 400
  }
  return failure
}

function isOver(stream: PayloadStream): boolean {
  const { destroyed, readableEnded } = stream as { destroyed?: boolean; readableEnded?: boolean }
  return destroyed === true || readableEnded === true
}
