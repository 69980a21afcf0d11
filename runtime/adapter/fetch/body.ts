import type { Done, StreamedBody } from '../hosted/response.ts'

/** A `StreamedBody` as the body of a `Response`. */
export interface ResponseBody extends StreamedBody {
  readonly stream: ReadableStream<Uint8Array>
}

/** In workerd, only such a stream is sent with `content-length`. */
const { FixedLengthStream } = globalThis as {
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>
}

/**
 * @param length the value of `content-length`
 * @param onCancel called when the client has disconnected
 */
export function createStreamedBody(length: unknown, onCancel: () => void): ResponseBody {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let waiting: Done | undefined
  const resume = (): void => {
    const done = waiting
    waiting = undefined
    done?.()
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    pull: resume,
    cancel: onCancel,
  })
  const isFixed = FixedLengthStream !== undefined && /^\d+$/.test(String(length))
  return {
    stream: isFixed ? stream.pipeThrough(new FixedLengthStream(Number(length))) : stream,
    write(chunk, done) {
      controller.enqueue(chunk)
      // The stream calls `pull` when the chunk was read.
      if ((controller.desiredSize ?? 0) > 0) done()
      else waiting = done
    },
    close(done) {
      controller.close()
      done()
    },
    fail: (error) => controller.error(error),
  }
}
