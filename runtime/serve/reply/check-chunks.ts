import { errorCodes } from '../../errors/index.ts'
import { streams } from '../../platform/index.ts'

/**
 * Makes an object stream fail when it has a chunk that is neither text nor bytes. Writing such a chunk would throw inside an event of the
 * stream, where nobody catches it.
 */
export function checkChunks(stream: NodeJS.ReadableStream): NodeJS.ReadableStream {
  if ((stream as { readableObjectMode?: boolean }).readableObjectMode !== true) return stream
  const { pipeline, Transform } = streams()
  const checked = new Transform({
    writableObjectMode: true,
    transform(chunk: unknown, _encoding, done) {
      if (isChunk(chunk)) done(null, chunk)
      else done(invalidChunk(chunk))
    },
  })
  // Destroys both when one fails. The reader gets the error.
  return pipeline(stream, checked, () => {})
}

export function isChunk(chunk: unknown): chunk is string | Uint8Array {
  return typeof chunk === 'string' || chunk instanceof Uint8Array
}

export function invalidChunk(chunk: unknown): Error {
  return new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof chunk)
}
