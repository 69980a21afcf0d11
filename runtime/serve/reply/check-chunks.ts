import { errorCodes } from '../../errors/index.ts'
import { streams } from '../../platform/index.ts'

/**
 * The stream as one of text and bytes. A stream of objects may give anything, which the response would refuse by throwing out
 * of the stream's event; it fails like a payload of that type instead.
 */
export function checkChunks(stream: NodeJS.ReadableStream): NodeJS.ReadableStream {
  if ((stream as { readableObjectMode?: boolean }).readableObjectMode !== true) return stream
  const { pipeline, Transform } = streams()
  const checked = new Transform({
    writableObjectMode: true,
    transform(chunk: unknown, _encoding, done) {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) done(null, chunk)
      else done(new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(typeof chunk))
    },
  })
  // Each ends with the other; who reads hears of it.
  return pipeline(stream, checked, () => {})
}
