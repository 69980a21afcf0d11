import type { Done, StreamedBody } from '../hosted/delivery.ts'

/** A body that is written bit by bit, at the pace at which the platform reads it. */
export interface ResponseBody extends StreamedBody {
  readonly stream: ReadableStream<Uint8Array>
}

/** Where it exists, a stream of any other kind is sent in chunks, whatever the headers say. */
const { FixedLengthStream } = globalThis as {
  FixedLengthStream?: new (length: number) => TransformStream<Uint8Array, Uint8Array>
}

/**
 * @param length what the headers announce
 * @param onCancel called when the client has gone
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
      // The stream calls `pull` once it has handed the chunk out.
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
