/** Types of instances, requests and replies that Fastify's own type tests (`npm run conformance:types`) don't check. */
import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import framework, {
  type ConstraintStrategy,
  type FastifyBodyParser,
  type FastifyContextConfig,
  type FastifyReply,
  type FastifyRequest,
  type FastifyRouteConfig,
  type RouteGenericInterface,
} from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

const app = framework()
same<string>()(app.prefix)
same<string>()(app.version)
app.listen({ path: '/tmp/socket', readableAll: true, signal: AbortSignal.timeout(1) }, () => {})
// @ts-expect-error the port is a number here
app.listen({ port: '3000' })
same<boolean>()(app.hasRoute({ method: 'GET', url: '/', constraints: { host: 'a' } }))
same<boolean>()(app.hasContentTypeParser(/^image\//))
const json: FastifyBodyParser<string> = app.getDefaultJsonParser('error', 'remove')
app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, json)
// @ts-expect-error text or a buffer
app.addContentTypeParser('a/b', { parseAs: 'stream' }, () => {})
// @ts-expect-error must answer with a boolean or an object
app.setValidatorCompiler(() => () => 'yes')
// @ts-expect-error must give text
app.setSerializerCompiler(() => () => 1)
app.setReplySerializer((payload, statusCode) => `${String(payload)} ${statusCode}`)
// @ts-expect-error frozen
app.initialConfig.bodyLimit = 1
class OutOfStock extends Error {
  readonly left: number = 0
}
app.setErrorHandler<OutOfStock>((error) => same<number>()(error.left))
const byTenant: ConstraintStrategy<Server, unknown> = {
  name: 'tenant',
  storage: () => ({ get: () => null, set: () => {} }),
  deriveConstraint: (request) => request.headers['x-tenant'],
  mustMatchWhenDerived: true,
}
framework({ constraints: { tenant: byTenant } })

app.get('/', (request, reply) => {
  same<'http' | 'https'>()(request.protocol)
  same<FastifyContextConfig & FastifyRouteConfig>()(request.routeOptions.config)
  // @ts-expect-error read only
  request.url = '/'
  // @ts-expect-error read only
  request.routeOptions.bodyLimit = 1
  request.compileValidationSchema({ type: 'string' }, 'querystring')
  same<FastifyReply>()(reply.code(200).headers({ b: 2 }).type('text/plain').status(201))
  reply.removeHeader('a').redirect('/').redirect(301, '/').hijack()
  same<string>()(reply.compileSerializationSchema({ type: 'object' })({ a: 1 }))
  same<string>()(reply.serializeInput({ a: 1 }, { type: 'object' }, '201'))
  // @ts-expect-error a status is a number
  reply.code('200')
})

// A payload may differ by status, exact codes before ranges.
interface ByStatus {
  Reply: { 200: { ok: true }; 404: { missing: string }; '4xx': { reason: string }; '5xx': Error }
}
app.get<ByStatus>('/by-status', (_request, reply) => {
  reply.code(404).send({ missing: 'a' })
  reply.code(418).send({ reason: 'teapot' })
  reply.code(503).send(new Error())
  // @ts-expect-error 404 has an entry of its own
  reply.code(404).send({ reason: 'a' })
  // @ts-expect-error no entry for 3xx
  reply.code(302)
})

// The parts can be typed by hand, on any server.
type Http2 = FastifyRequest<{ Body: string }, Http2Server>
export type OnHttp2 = [
  Expect<Equal<Http2['raw'], Http2ServerRequest>>,
  Expect<Equal<Http2['body'], string>>,
]

// Disposing, on Fastify 5.
same<Promise<undefined>>()(app[Symbol.asyncDispose]())
app.addHook('onClose', { [Symbol.dispose]() {} }).addHook('onClose', {
  async [Symbol.asyncDispose]() {},
})

// The parameters of replies in the order of Fastify 5, and as many of them as are written.
interface Loan {
  Body: { id: number }
  Reply: { 200: { title: string } }
}
declare const lendOverHttp2: (
  reply: FastifyReply<Loan, Http2Server, Http2ServerRequest, Http2ServerResponse>,
) => void
declare const short: FastifyReply<RouteGenericInterface, Http2Server>
app.post<Loan>('/loans', (_request, reply) => {
  lend(reply)
  // @ts-expect-error the raw response is another one
  lendOverHttp2(reply)
})
framework({ http2: true }).post<Loan>('/loans', (_request, reply) => lendOverHttp2(reply))
function lend(reply: FastifyReply<Loan>): void {
  same<number>()(reply.request.body.id)
  same<IncomingMessage>()(reply.request.raw)
  same<ServerResponse>()(reply.raw)
  reply.code(200).send({ title: 'a' })
  // @ts-expect-error not what the route answers with
  reply.code(200).send({ title: 1 })
  // @ts-expect-error not a status of the route
  reply.code(404)
}
same<Http2ServerRequest>()(short.request.raw)
same<Http2ServerResponse>()(short.raw)
