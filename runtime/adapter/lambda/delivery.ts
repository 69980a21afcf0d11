import type { Writable } from 'node:stream'
import type { Delivery, StreamedBody } from '../hosted/delivery.ts'
import type { LambdaAnswer, LambdaHead } from './answer.ts'
import { toLambdaBody, toLambdaHead } from './answer.ts'
import type { EventFormat } from './event.ts'

/** Delivers a response as the return value of the handler. */
export function createDelivery(
  format: EventFormat,
  resolve: (answer: LambdaAnswer) => void,
  reject: (error: Error) => void,
): Delivery {
  return {
    whole(head, body) {
      resolve({ ...toLambdaHead(head, format), ...toLambdaBody(body) })
    },
    stream(head) {
      // The head is final when the stream starts.
      const lambdaHead = toLambdaHead(head, format)
      const chunks: Uint8Array[] = []
      return {
        write(chunk, done) {
          chunks.push(chunk)
          done()
        },
        close(done) {
          resolve({ ...lambdaHead, ...toLambdaBody(Buffer.concat(chunks)) })
          done()
        },
        fail: reject,
      }
    },
    fail: reject,
  }
}

/** Lambda's global for handlers that stream. */
export interface LambdaGlobal {
  streamifyResponse(
    handler: (event: never, stream: Writable, context: never) => Promise<void>,
  ): (event: never, context: never) => Promise<unknown>
  readonly HttpResponseStream: { from(stream: Writable, head: LambdaHead): Writable }
}

/** Delivers a response chunk by chunk to Lambda's stream. */
export function createStreamDelivery(
  { HttpResponseStream }: LambdaGlobal,
  stream: Writable,
  format: EventFormat,
  resolve: () => void,
  reject: (error: Error) => void,
): Delivery {
  const open = (head: LambdaHead, onCancel: () => void): StreamedBody => {
    const body = HttpResponseStream.from(stream, head)
    body.on('error', (error: Error) => {
      reject(error)
      onCancel()
    })
    let isWritten = false
    return {
      write(chunk, done) {
        isWritten = true
        body.write(chunk, done)
      },
      close(done) {
        // The head is only sent with the first chunk, which may be empty.
        if (!isWritten) body.write('')
        body.end((error?: Error | null) => {
          done(error)
          if (!error) resolve()
        })
      },
      fail: reject,
    }
  }
  return {
    whole(head, given) {
      const body = open(toLambdaHead(head, format), noop)
      const end = (): void => body.close(noop)
      if (given === null || given.length === 0) end()
      else body.write(Buffer.from(given as Uint8Array), (error) => error || end())
    },
    stream: (head, onCancel) => open(toLambdaHead(head, format), onCancel),
    fail: reject,
  }
}

function noop(): void {}
