import type { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2Server, Http2ServerRequest } from 'node:http2'
import type { Socket } from 'node:net'
import framework, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyRouteConfig,
  type FastifySchema,
  type RouteHandlerMethod,
} from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

const app = framework()

app.get('/request', (request) => {
  same<IncomingMessage>()(request.raw)
  same<IncomingMessage['headers']>()(request.raw.headers)
  same<FastifyInstance>()(request.server)
  same<string>()(request.url)
  same<string>()(request.originalUrl)
  same<string>()(request.method)
  same<string>()(request.hostname)
  same<string>()(request.ip)
  same<string[] | undefined>()(request.ips)
  same<'http' | 'https'>()(request.protocol)
  same<boolean>()(request.is404)
  same<Socket>()(request.socket)
  same<string>()(request.routerPath)
  same<string>()(request.routerMethod)
  same<FastifySchema>()(request.routeSchema)
  same<string | undefined>()(request.validationError?.validationContext)
  // @ts-expect-error read only
  request.url = '/'
  // Members that hooks and parsers may set.
  request.body = {}
  request.query = {}
  request.params = {}

  const route = request.routeOptions
  same<string>()(route.url)
  same<number>()(route.bodyLimit)
  same<FastifySchema | undefined>()(route.schema)
  same<RouteHandlerMethod>()(route.handler)
  same<FastifyContextConfig & FastifyRouteConfig>()(route.config)
  // @ts-expect-error read only
  route.bodyLimit = 1

  const validate = request.getValidationFunction('body')
  if (!validate({})) same<string | undefined>()(validate.errors?.[0]?.keyword)
  request.getValidationFunction({ type: 'string' })
  request.compileValidationSchema({ type: 'string' }, 'querystring')
  same<boolean>()(request.validateInput(1, { type: 'number' }))
  same<boolean>()(request.validateInput(1, 'params'))
})

app.get('/reply', (request, reply) => {
  same<ServerResponse>()(reply.raw)
  same<IncomingMessage>()(reply.request.raw)
  same<FastifyInstance>()(reply.server)
  same<number>()(reply.statusCode)
  same<boolean>()(reply.sent)
  same<number>()(reply.getResponseTime())
  same<FastifyReply>()(
    reply.code(200).header('a', 1).headers({ b: 2 }).type('text/plain').status(201),
  )
  same<number | string | string[] | undefined>()(reply.getHeader('a'))
  same<boolean>()(reply.hasHeader('a'))
  reply.removeHeader('a').redirect('/').redirect(301, '/').hijack()
  reply.serializer((payload) => String(payload)).send(request.id)
  same<string | ArrayBuffer | Buffer>()(reply.serialize({}))
  same<string>()(reply.getSerializationFunction('200', 'application/json')({ a: 1 }))
  same<string>()(reply.compileSerializationSchema({ type: 'object' })({ a: 1 }))
  same<string>()(reply.serializeInput({ a: 1 }, { type: 'object' }, '201'))
  reply.trailer('etag', async (_reply: unknown, payload: unknown) => String(payload))
  reply.trailer('etag', (reply, payload, done) =>
    done(null, `${reply.statusCode}${String(payload)}`),
  )
  same<boolean>()(reply.hasTrailer('etag'))
  reply.removeTrailer('etag').callNotFound()
  // @ts-expect-error a status is a number
  reply.code('200')
})

// A payload may differ by status, exact codes before ranges.
interface ByStatus {
  Reply: { 200: { ok: true }; 404: { missing: string }; '4xx': { reason: string }; '5xx': Error }
}
app.get<ByStatus>('/by-status', (_request, reply) => {
  reply.code(200).send({ ok: true })
  reply.code(404).send({ missing: 'a' })
  reply.code(418).send({ reason: 'teapot' })
  reply.code(503).send(new Error())
  // @ts-expect-error 404 has an entry of its own
  reply.code(404).send({ reason: 'a' })
  // @ts-expect-error no entry for 3xx
  reply.code(302)
  // @ts-expect-error not what 200 answers with
  reply.code(200).send({ ok: false })
})

// A payload that is not by status is the same for every status.
app.get<{ Reply: string }>('/plain', (_request, reply) => {
  reply.code(200).send('yes')
  reply.code(500).send('no')
  // @ts-expect-error text
  reply.code(500).send(1)
})

// The parts can be typed by hand, on any server.
type Http2 = FastifyRequest<{ Body: string }, Http2Server>
export type OnHttp2 = [
  Expect<Equal<Http2['raw'], Http2ServerRequest>>,
  Expect<Equal<Http2['body'], string>>,
]
