/**
 * AWS's runtime interface client: loads the handler named by the first argument from `LAMBDA_TASK_ROOT`, then polls for events and
 * posts the results. The second argument is the number of concurrent events.
 */
import { subscribe } from 'node:diagnostics_channel'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { reportFailure, serveParent, type HostedInstance } from '../app-process.ts'

type Handler = ((event: unknown, context: object) => Promise<unknown>) & { streams?: Streaming }
type Streaming = (event: unknown, stream: Writable, context: object) => Promise<void>

const base = `http://${process.env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/invocation`

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (streams: Streaming): Handler =>
      Object.assign(async () => undefined, { streams }),
    HttpResponseStream: {
      from(stream: LambdaStream, head: object): LambdaStream {
        stream.head = Buffer.concat([Buffer.from(JSON.stringify(head)), Buffer.alloc(8)])
        return stream
      },
    },
  },
})

/** Lambda's stream: the head is sent with the first write, so never without one. */
class LambdaStream extends PassThrough {
  head: Buffer | undefined

  override write(chunk: unknown, ...rest: never[]): boolean {
    const { head } = this
    this.head = undefined
    if (head !== undefined) super.write(head)
    return super.write(chunk, ...rest)
  }
}

let instance: HostedInstance | undefined
subscribe('fastify.initialization', (message) => {
  instance = (message as { fastify: HostedInstance }).fastify
})
process.on('uncaughtExceptionMonitor', reportFailure)

const [file = '', name = ''] = (process.argv[2] ?? '').split('.')
const loaded = (await import(
  pathToFileURL(join(process.env['LAMBDA_TASK_ROOT'] as string, `${file}.js`)).href
)) as Record<string, Handler>
const handler = loaded[name] as Handler
for (let i = 0; i < Number(process.argv[3] ?? 1); i++) void poll()
if (instance !== undefined) serveParent(instance, null)

async function poll(): Promise<never> {
  for (;;) {
    const answer = await fetch(`${base}/next`)
    const id = answer.headers.get('lambda-runtime-aws-request-id') as string
    const event: unknown = await answer.json()
    await invoke(id, event)
  }
}

async function invoke(id: string, event: unknown): Promise<void> {
  const context = { awsRequestId: id, functionName: 'test', callbackWaitsForEmptyEventLoop: true }
  const { streams } = handler
  if (streams) return stream(id, (out) => streams(event, out, context))
  try {
    await post(`${id}/response`, JSON.stringify((await handler(event, context)) ?? null))
  } catch (error) {
    const { name: errorType, message: errorMessage } = error as Error
    await post(`${id}/error`, JSON.stringify({ errorType, errorMessage }))
  }
}

async function stream(id: string, run: (out: Writable) => Promise<void>): Promise<void> {
  const out = new LambdaStream()
  const posted = new Promise<void>((resolve, reject) => {
    const request = send(
      `${base}/${id}/response`,
      {
        method: 'POST',
        headers: {
          'lambda-runtime-function-response-mode': 'streaming',
          'transfer-encoding': 'chunked',
          trailer: 'lambda-runtime-function-error-type',
        },
      },
      (response) => response.resume().on('end', resolve),
    )
    request.on('error', reject)
    out.pipe(request, { end: false })
    out.on('end', () => request.end())
    run(out).catch((error: Error) => {
      request.addTrailers({ 'lambda-runtime-function-error-type': error.name })
      out.end()
    })
  })
  await posted
}

async function post(path: string, body: string): Promise<void> {
  const answer = await fetch(`${base}/${path}`, { method: 'POST', body })
  await answer.arrayBuffer()
}
