import { fastify5ErrorCodes } from '../../errors/index.ts'
import { streams } from '../../platform/index.ts'
import { outgoingOf } from '../exchange.ts'
import type { Reply } from '../model.ts'
import { invalidChunk, isChunk } from '../streams.ts'

/** Returns whether the payload is a web stream or a `Response`. Not by `instanceof`, which would load all of `fetch` in Node. */
export function isWebPayload(payload: unknown): payload is ReadableStream | Response {
  if (typeof payload !== 'object' || payload === null) return false
  return isWebStream(payload) || isResponse(payload)
}

export function isWebStream(payload: unknown): payload is ReadableStream {
  return (
    typeof payload === 'object' &&
    typeof (payload as Partial<ReadableStream> | null)?.getReader === 'function'
  )
}

interface Tagged {
  readonly [Symbol.toStringTag]?: unknown
}

/**
 * Returns the body of a web payload, and applies status and headers of a `Response`. An object that only has the tag of a `Response`, as some
 * packages create it, may lack them, and its body may be any payload.
 *
 * @throws FST_ERR_REP_RESPONSE_BODY_CONSUMED
 */
export function bodyOf(reply: Reply, payload: ReadableStream | Response): unknown {
  if (!isResponse(payload)) return payload
  const { body, bodyUsed, headers, status } = payload
  if (typeof status === 'number') reply.code(status)
  if (status === 101) outgoingOf(reply.raw).switchProtocols?.(reply.raw, payload)
  if (typeof headers?.forEach === 'function') {
    for (const [name, value] of headers) reply.header(name, value)
  }
  if (body !== null && bodyUsed) throw new fastify5ErrorCodes.FST_ERR_REP_RESPONSE_BODY_CONSUMED()
  return body
}

function isResponse(payload: object): payload is Partial<Response> {
  return (payload as Tagged)[Symbol.toStringTag] === 'Response'
}

/**
 * Converts a web stream. Reads a chunk only when the response can take it, and stops when the client has left.
 *
 * @throws FST_ERR_REP_READABLE_STREAM_LOCKED
 */
export function toNodeStream(stream: ReadableStream, { raw }: Reply): NodeJS.ReadableStream {
  if (stream.locked) throw new fastify5ErrorCodes.FST_ERR_REP_READABLE_STREAM_LOCKED()
  const reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const { Readable } = streams()
  const readable = new Readable({
    highWaterMark: 0,
    read() {
      if (raw.destroyed) {
        readable.destroy()
        return
      }
      reader.read().then(
        ({ done, value }) => {
          if (done || isChunk(value)) readable.push(done ? null : value)
          else readable.destroy(invalidChunk(value))
        },
        (error: Error) => readable.destroy(error),
      )
    },
    destroy(error, done) {
      reader.cancel().catch(noop)
      done(error)
    },
  })
  return readable
}

function noop(): void {}
