import type { AddressInfo } from 'node:net'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import framework, {
  type ConstraintStrategy,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchemaCompiler,
  type FastifySerializerCompiler,
  type InjectOptions,
  type LightMyRequestChain,
  type LightMyRequestResponse,
} from 'framework'
import { same } from './expect.ts'

const app = framework()

same<string>()(app.prefix)
same<string>()(app.pluginName)
same<string>()(app.version)
same<string>()(app.listeningOrigin)
same<AddressInfo[]>()(app.addresses())
same<FastifyBaseLogger>()(app.log)
same<Server>()(app.server)

// Listening.
same<Promise<string>>()(app.listen())
same<Promise<string>>()(app.listen({ port: 0, host: '::', ipv6Only: true, backlog: 511 }))
app.listen(
  { path: '/tmp/socket', readableAll: true, signal: AbortSignal.timeout(1) },
  (error, address) => {
    same<Error | null>()(error)
    same<string>()(address)
  },
)
app.listen({ listenTextResolver: (address) => `at ${address}` })
app.listen((error, address) => app.log.info({ error, address }))
app.listen(3000, '0.0.0.0', 511, () => {})
same<Promise<string>>()(app.listen('3000', 'localhost'))
// @ts-expect-error the port is a number here
app.listen({ port: '3000' })

// Starting and stopping.
app.ready((error) => app.log.error(error))
same<undefined>()(await app.ready())
same<undefined>()(await app.after())
same<Promise<undefined>>()(app.close())
same<undefined>()(app.close(() => {}))
app.after((error) => app.log.error(error)).get('/later', () => {})

// Requests without a socket.
same<Promise<LightMyRequestResponse>>()(app.inject('/'))
same<LightMyRequestChain>()(app.inject())
const request: InjectOptions = { method: 'POST', url: '/', payload: { a: 1 }, cookies: { a: 'b' } }
app.inject(request, (error, response) => {
  same<Error | undefined>()(error)
  same<number | undefined>()(response?.statusCode)
})
same<LightMyRequestResponse>()(await app.inject().get('/').headers({ a: 'b' }).end())

// Shared schemas.
app.addSchema({ $id: 'a', type: 'string' }).addSchema({ $id: 'b' })
same<Record<string, unknown>>()(app.getSchemas())
same<unknown>()(app.getSchema('a'))

// Compilers.
const validator: FastifySchemaCompiler<{ type: string }> = ({ schema, httpPart }) => {
  const check = (data: unknown) =>
    typeof data === schema.type ? { value: data } : { error: new Error(`${httpPart}`) }
  return check
}
same<FastifyInstance>()(app.setValidatorCompiler(validator))
app.setValidatorCompiler<{ type: string }>(({ schema, method, url }) => {
  same<string>()(schema.type)
  return () => method === url
})
// @ts-expect-error must answer with a boolean or an object
app.setValidatorCompiler(() => () => 'yes')
const serializer: FastifySerializerCompiler<unknown> = ({ httpStatus, contentType }) => {
  same<string | undefined>()(httpStatus)
  same<string | undefined>()(contentType)
  return (data) => JSON.stringify(data)
}
app.setSerializerCompiler(serializer)
// @ts-expect-error must give text
app.setSerializerCompiler(() => () => 1)
app.setReplySerializer((payload, statusCode) => `${String(payload)} ${statusCode}`)
app.setSchemaErrorFormatter((errors, dataVar) => {
  same<'body' | 'headers' | 'params' | 'querystring'>()(dataVar)
  return new Error(errors.map((error) => error.instancePath).join())
})
app.setSchemaController({
  bucket: () => ({ add: () => app, getSchema: () => null, getSchemas: () => ({}) }),
})

// Handlers for what goes wrong.
app.setErrorHandler(function (error, request, reply) {
  same<string>()(error.code)
  this.log.error(error)
  if (error.validation !== undefined) {
    return reply.code(422).send({ context: error.validationContext, errors: error.validation })
  }
  return reply.send(request.id)
})
class OutOfStock extends Error {
  readonly left: number = 0
}
app.setErrorHandler<OutOfStock>((error) => same<number>()(error.left))
app.setErrorHandler(async (error) => ({ message: error.message }))
app.errorHandler
app.setNotFoundHandler((request, reply) => {
  reply.code(404).send({ is404: request.is404 })
})
app.setNotFoundHandler({ preHandler: [(_request, _reply, done) => done()] }, async function () {
  return this.prefix
})

// Routing.
app.routing({} as IncomingMessage, {} as ServerResponse)
same<boolean>()(app.hasRoute({ method: 'GET', url: '/', constraints: { host: 'a' } }))
same<string>()(
  app.printRoutes({ commonPrefix: false, includeMeta: ['constraints'], method: 'GET' }),
)
same<string>()(app.printPlugins())
const byTenant: ConstraintStrategy<Server, unknown> = {
  name: 'tenant',
  storage: () => {
    const handlers = new Map()
    return {
      get: (tenant) => handlers.get(tenant) ?? null,
      set: (tenant, handler) => void handlers.set(tenant, handler),
    }
  },
  deriveConstraint: (request) => request.headers['x-tenant'],
  mustMatchWhenDerived: true,
}
app.addConstraintStrategy(byTenant)
same<boolean>()(app.hasConstraintStrategy('tenant'))
framework({ constraints: { tenant: byTenant } })

// The configuration can be read only.
same<number | undefined>()(app.initialConfig.bodyLimit)
// @ts-expect-error frozen
app.initialConfig.bodyLimit = 1
