/** Lambda's side of its runtime API: gives events to the process that polls, and takes the results. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { LambdaAnswer, LambdaHead } from '../../../runtime/adapter/lambda/response.ts'

const VERSION = '/2018-06-01/runtime'

export interface Invocation {
  readonly event: object
  /** It has returned this. */
  onAnswer(answer: LambdaAnswer): void
  /** It streams; both end when the stream does. */
  onStream(head: LambdaHead, body: AsyncIterable<Buffer>): void
  /** It has failed, in the words that the runtime has reported; a stream may have begun. */
  onError(error: { readonly errorType: string; readonly errorMessage: string }): void
}

export interface RuntimeApi {
  /** For `AWS_LAMBDA_RUNTIME_API`. */
  readonly address: string
  invoke(invocation: Invocation): void
  close(): void
}

export async function createRuntimeApi(): Promise<RuntimeApi> {
  const waiting: Invocation[] = []
  const polls: ServerResponse[] = []
  const running = new Map<string, Invocation>()
  let last = 0
  const server: Server = createServer((request, response) => {
    const [, id = '', what] = /\/invocation\/([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    if (request.url === `${VERSION}/invocation/next`) {
      polls.push(response)
      hand()
      return
    }
    const invocation = running.get(id)
    running.delete(id)
    if (invocation === undefined) {
      response.writeHead(403).end()
      return
    }
    take(request, what as string, invocation).then(
      () => response.writeHead(202).end(),
      // The connection broke off, and with it the answer.
      (error: Error) =>
        invocation.onError({ errorType: 'Runtime.Broken', errorMessage: error.message }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    invoke(invocation) {
      waiting.push(invocation)
      hand()
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }

  function hand(): void {
    while (polls.length > 0 && waiting.length > 0) {
      const invocation = waiting.shift() as Invocation
      const id = `invocation-${++last}`
      running.set(id, invocation)
      const head = {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': Date.now() + 30_000,
        'lambda-runtime-invoked-function-arn':
          'arn:aws:lambda:eu-central-1:123456789012:function:test',
      }
      polls.shift()?.writeHead(200, head).end(JSON.stringify(invocation.event))
    }
  }
}

async function take(request: IncomingMessage, what: string, invocation: Invocation): Promise<void> {
  if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
    await takeStream(request, invocation)
    return
  }
  const value = (await json(request)) as never
  if (what === 'error') invocation.onError(value)
  else invocation.onAnswer(value)
}

/** The head as JSON, eight zeros, the body. */
async function takeStream(request: IncomingMessage, invocation: Invocation): Promise<void> {
  const chunks = (request as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let begun = Buffer.alloc(0)
  let end = -1
  while (end === -1) {
    const { done, value } = await chunks.next()
    if (done === true) break
    begun = Buffer.concat([begun, value])
    end = begun.indexOf(Buffer.alloc(8))
  }
  if (end !== -1) {
    const head = JSON.parse(begun.subarray(0, end).toString()) as LambdaHead
    const rest = begun.subarray(end + 8)
    invocation.onStream(head, {
      async *[Symbol.asyncIterator]() {
        if (rest.length > 0) yield rest
        yield* { [Symbol.asyncIterator]: () => chunks }
      },
    })
    await new Promise((resolve) => request.once('close', resolve))
  }
  const errorType = request.trailers['lambda-runtime-function-error-type']
  if (errorType === undefined && end !== -1) return
  const text = Buffer.from(request.trailers['lambda-runtime-function-error-body'] ?? '', 'base64')
  invocation.onError(JSON.parse(text.toString() || '{}') as never)
}
