/** Lambda's side of its runtime API: gives events to the process that polls, and answers clients with the results. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { LambdaAnswer, LambdaHead } from '../../../runtime/adapter/lambda/response.ts'
import { toGatewayAnswer, toHead } from './gateway.ts'

/** An event, and the response of the client that it comes from. */
interface Invocation {
  readonly event: object
  readonly response: ServerResponse
}

export class RuntimeApi {
  readonly #waiting: Invocation[] = []
  readonly #polls: ServerResponse[] = []
  readonly #running = new Map<string, ServerResponse>()
  #last = 0

  invoke(invocation: Invocation): void {
    this.#waiting.push(invocation)
    this.#dispatch()
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === '/2018-06-01/runtime/invocation/next') {
      this.#polls.push(response)
      this.#dispatch()
      return
    }
    const [, id = '', what] = /\/invocation\/([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const client = this.#running.get(id)
    this.#running.delete(id)
    if (client === undefined) {
      response.writeHead(403).end()
      return
    }
    pass(request, what === 'error', client).then(
      () => response.writeHead(202).end(),
      // The function's connection broke off during the answer.
      () => fail(client),
    )
  }

  #dispatch(): void {
    while (this.#polls.length > 0 && this.#waiting.length > 0) {
      const { event, response } = this.#waiting.shift() as Invocation
      const id = `invocation-${++this.#last}`
      this.#running.set(id, response)
      const head = {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': Date.now() + 30_000,
        'lambda-runtime-invoked-function-arn':
          'arn:aws:lambda:eu-central-1:123456789012:function:test',
      }
      this.#polls.shift()?.writeHead(200, head).end(JSON.stringify(event))
    }
  }
}

async function pass(request: IncomingMessage, isError: boolean, to: ServerResponse): Promise<void> {
  if (request.headers['lambda-runtime-function-response-mode'] === 'streaming') {
    return passStream(request, to)
  }
  const value: unknown = await json(request)
  if (isError) return fail(to)
  const { status, headers, body } = toGatewayAnswer(value as LambdaAnswer)
  to.writeHead(status, headers.flat()).end(body)
}

/** Passes a stream on, which consists of the head as JSON, eight zero bytes, and the body. */
async function passStream(request: IncomingMessage, to: ServerResponse): Promise<void> {
  let start = Buffer.alloc(0)
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (to.headersSent) {
      to.write(chunk)
      continue
    }
    start = Buffer.concat([start, chunk])
    const end = start.indexOf(Buffer.alloc(8))
    if (end === -1) continue
    const { status, headers } = toHead(JSON.parse(start.toString('utf8', 0, end)) as LambdaHead)
    to.writeHead(status, headers.flat()).write(start.subarray(end + 8))
  }
  const failed = request.trailers['lambda-runtime-function-error-type'] !== undefined
  if (failed || !to.headersSent) fail(to)
  else to.end()
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(502).end('{"message": "Internal server error"}')
}
