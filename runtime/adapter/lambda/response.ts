import type { Writable } from 'node:stream'
import type { HeaderRecord } from '../hosted/headers.ts'
import { type Chunk, collectBody, HostedResponse, type StreamedBody } from '../hosted/response.ts'
import { type LambdaAnswer, type LambdaHead, toLambdaBody, toLambdaHead } from './answer.ts'
import type { LambdaRequest } from './request.ts'

/** Answers with the return value of the handler. */
export class LambdaResponse extends HostedResponse<LambdaAnswer> {
  declare readonly req: LambdaRequest

  protected override deliver(headers: HeaderRecord, body: Chunk | null): void {
    this.resolve({ ...toLambdaHead(this, headers, this.req.format), ...toLambdaBody(body) })
  }

  protected override deliverStream(headers: HeaderRecord): StreamedBody {
    // The head is final when the stream starts.
    const head = toLambdaHead(this, headers, this.req.format)
    return collectBody((body) => this.resolve({ ...head, ...toLambdaBody(body) }), this.reject)
  }
}

/** Lambda's global for handlers that stream. */
export interface LambdaGlobal {
  streamifyResponse(
    handler: (event: never, stream: Writable, context: never) => Promise<void>,
  ): (event: never, context: never) => Promise<unknown>
  readonly HttpResponseStream: { from(stream: Writable, head: LambdaHead): Writable }
}

/** Answers chunk by chunk to Lambda's stream. */
export class StreamingLambdaResponse extends HostedResponse<void> {
  declare readonly req: LambdaRequest
  private readonly open: (head: LambdaHead) => Writable

  constructor(
    request: LambdaRequest,
    open: (head: LambdaHead) => Writable,
    resolve: () => void,
    reject: (error: Error) => void,
  ) {
    super(request, resolve, reject)
    this.open = open
  }

  protected override deliver(headers: HeaderRecord, given: Chunk | null): void {
    const body = this.deliverStream(headers)
    const end = (): void => body.close(noop)
    if (given === null || given.length === 0) end()
    else body.write(Buffer.from(given as Uint8Array), (error) => error || end())
  }

  protected override deliverStream(headers: HeaderRecord): StreamedBody {
    const body = this.open(toLambdaHead(this, headers, this.req.format))
    body.on('error', (error: Error) => {
      this.reject(error)
      this.destroy()
    })
    let isWritten = false
    return {
      write(chunk, done) {
        isWritten = true
        body.write(chunk, done)
      },
      close: (done) => {
        // The head is only sent with the first chunk, which may be empty.
        if (!isWritten) body.write('')
        body.end((error?: Error | null) => {
          done(error)
          if (!error) this.resolve()
        })
      },
      fail: this.reject,
    }
  }
}

function noop(): void {}
