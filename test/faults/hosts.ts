/** The platforms without sockets, which only ours serves. */
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

export type Host = 'fetch' | 'lambda' | 'lambdaStream'
export const hosted: readonly Host[] = ['fetch', 'lambda', 'lambdaStream']

/** Sends a request. Returns status and body, or rejects if there is no answer. */
type Send = (method: string, url: string, body?: string) => Promise<string>

/** The function that sends requests to an application, for those that were prepared. */
export const hosts: WeakMap<FastifyInstance, Send> = new WeakMap()

/** Has to be called before the application is ready. */
export async function prepareHost(app: FastifyInstance, host: Host): Promise<void> {
  hosts.set(app, await senders[host](app))
}

const headersOf = (body: string): Record<string, string> => ({
  'content-type': 'application/json',
  'content-length': String(body.length),
})

function toEvent(method: string, url: string, body?: string): object {
  const [rawPath, rawQueryString = ''] = url.split('?')
  const headers = body === undefined ? {} : headersOf(body)
  const requestContext = { domainName: 'a.lambda-url.aws', http: { method } }
  return { version: '2.0', rawPath, rawQueryString, headers, requestContext, body }
}

type Invoke = (event: object, stream: Writable, context: object) => Promise<void>

const senders: Readonly<Record<Host, (app: FastifyInstance) => Promise<Send>>> = {
  async fetch(app) {
    const { toFetch } = await import('framework/fetch')
    const handle = toFetch(app)
    return async (method, url, body) => {
      const more = body === undefined ? {} : { body, headers: headersOf(body) }
      const response = await handle(new Request(`http://a${url}`, { method, ...more }))
      return `${response.status} ${await response.text().catch(() => 'cut off')}`
    }
  },

  async lambda(app) {
    const { toLambda } = await import('framework/lambda')
    const handle = toLambda(app)
    return async (...request) => {
      const { statusCode, body } = await handle(toEvent(...request))
      return `${statusCode} ${body}`
    }
  },

  async lambdaStream(app) {
    const { toStreamingLambda } = await import('framework/lambda')
    const statuses = new WeakMap<Writable, number>()
    Object.assign(globalThis, {
      awslambda: {
        streamifyResponse: (invoke: Invoke) => invoke,
        HttpResponseStream: {
          from(stream: Writable, { statusCode }: { readonly statusCode: number }) {
            statuses.set(stream, statusCode)
            return stream
          },
        },
      },
    })
    const invoke = toStreamingLambda(app) as unknown as Invoke
    return async (...request) => {
      let body = ''
      const stream = new Writable({
        write(chunk, _encoding, done) {
          body += String(chunk)
          done()
        },
      })
      let end = ''
      await invoke(toEvent(...request), stream, {}).catch((error: unknown) => {
        if (!statuses.has(stream)) throw error
        end = ' cut off'
      })
      return `${statuses.get(stream)} ${body}${end}`
    }
  },
}
