import { fastify5ErrorCodes } from '../../errors/index.ts'
import { streams } from '../../platform/index.ts'
import type { Reply } from '../model.ts'
import { invalidChunk, isChunk } from '../streams.ts'

/** Returns whether the payload is a web stream or a `Response`. Not by `instanceof`, which would load all of `fetch` in Node. */
export function isWebPayload(payload: unknown): payload is ReadableStream | Response {
  if (typeof payload !== 'object' || payload === null) return false
  const { getReader, [Symbol.toStringTag]: tag } = payload as Partial<ReadableStream> & Tagged
  return typeof getReader === 'function' || tag === 'Response'
}

interface Tagged {
  readonly [Symbol.toStringTag]?: unknown
}

/**
 * Returns the body of a web payload as a stream of Node, and applies status and headers of a `Response`.
 *
 * @throws FST_ERR_REP_RESPONSE_BODY_CONSUMED, FST_ERR_REP_READABLE_STREAM_LOCKED
 */
export function fromWeb(
  reply: Reply,
  payload: ReadableStream | Response,
): NodeJS.ReadableStream | null {
  if ('getReader' in payload) return toNodeStream(payload, reply)
  reply.code(payload.status)
  for (const [name, value] of payload.headers) reply.header(name, value)
  if (payload.body === null) return null
  if (payload.bodyUsed) throw new fastify5ErrorCodes.FST_ERR_REP_RESPONSE_BODY_CONSUMED()
  return toNodeStream(payload.body as ReadableStream, reply)
}

/** Converts a web stream. Reads a chunk only when the response can take it, and stops when the client has left. */
function toNodeStream(stream: ReadableStream, { raw }: Reply): NodeJS.ReadableStream {
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
