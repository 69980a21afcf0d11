import type * as AsyncHooks from 'node:async_hooks'
import { errorCodes } from '../errors/index.ts'
import { runFromValidation } from './handler.ts'
import { isThenable } from './hook-runners.ts'
import type { PayloadStream, Reply, Request } from './model.ts'
import type { BodyDone, Parser } from './parser-list.ts'
import { kPayloadStream, kReplyIsError, kRoute } from './symbols.ts'

/** Parses the body with the parser of its content type, then goes on with the validation. */
export function runParser(contentType: string, request: Request, reply: Reply): void {
  const parser = request[kRoute].parsers.find(contentType)
  if (parser === undefined) {
    if (request.is404) runFromValidation(request, reply)
    else reply.send(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(contentType || undefined))
    return
  }
  // Whoever feeds the body runs in an async context of its own; what follows must be in the request's.
  const resource = createAsyncResource('content-type-parser:run')
  const done: BodyDone = (error, body) => {
    resource.runInAsyncScope(() => {
      if (error) {
        reply[kReplyIsError] = true
        reply.send(error)
      } else {
        request.body = body
        runFromValidation(request, reply)
      }
    })
  }
  if (parser.asString || parser.asBuffer) readBody(request, reply, parser, done)
  else callParser(parser, request, payloadOf(request), done)
}

let asyncHooks: typeof AsyncHooks | undefined

function createAsyncResource(name: string): AsyncHooks.AsyncResource {
  asyncHooks ??= process.getBuiltinModule('node:async_hooks')
  return new asyncHooks.AsyncResource(name)
}

function callParser(parser: Parser, request: Request, body: unknown, done: BodyDone): void {
  const result = parser.parse(request, body, done)
  if (isThenable(result)) result.then((parsed) => done(null, parsed), done)
}

/** Collects the body and hands it to the parser, unless it is too large, cut off, or longer than announced. */
function readBody(request: Request, reply: Reply, parser: Parser, done: BodyDone): void {
  const limit = request[kRoute].bodyLimit ?? (parser.bodyLimit as number)
  const announced = request.headers['content-length']
  const contentLength = announced === undefined ? Number.NaN : Number(announced)
  if (contentLength > limit) {
    // The client sends it anyway.
    reply.header('connection', 'close')
    reply.send(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  let receivedLength = 0
  const chunks: Buffer[] = []
  const payload = payloadOf(request)
  payload.on('data', onData)
  payload.on('end', onEnd)
  payload.on('error', onEnd)
  payload.resume()

  function stop(): void {
    payload.removeListener('data', onData)
    payload.removeListener('end', onEnd)
    payload.removeListener('error', onEnd)
  }

  function onData(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    receivedLength += bytes.length
    // What a `preParsing` hook makes of the body counts as well: it may unpack a gigabyte from a few bytes.
    if (receivedLength > limit || (payload.receivedEncodedLength ?? 0) > limit) {
      stop()
      reply.send(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      return
    }
    chunks.push(bytes)
  }

  function onEnd(error?: Error & { statusCode?: number }): void {
    stop()
    if (error !== undefined) {
      if (!(typeof error.statusCode === 'number' && error.statusCode >= 400)) {
        error.statusCode = 400
      }
      reply[kReplyIsError] = true
      reply.code(error.statusCode).send(error)
      return
    }
    // A copy always: what comes from a socket is a view of what else was read from it.
    const bytes = Buffer.concat(chunks)
    const body = parser.asString ? bytes.toString() : bytes
    const length = payload.receivedEncodedLength || Buffer.byteLength(body)
    if (!Number.isNaN(contentLength) && length !== contentLength) {
      reply.header('connection', 'close')
      reply.send(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      return
    }
    callParser(parser, request, body, done)
  }
}

/** What `preParsing` hooks have put in the place of the request's own stream, if that is anything. */
function payloadOf(request: Request): PayloadStream {
  return request[kPayloadStream] || request.raw
}
