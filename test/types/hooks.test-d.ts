import framework, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HookHandlerDoneFunction,
  type RegisterOptions,
  type RequestPayload,
  type RouteOptions,
  type onRequestHookHandler,
  type onSendHookHandler,
  type preHandlerAsyncHookHandler,
  type preHandlerHookHandler,
  type preParsingHookHandler,
} from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

const app = framework()

// The request's hooks, with done.
for (const name of [
  'onRequest',
  'preValidation',
  'preHandler',
  'onResponse',
  'onTimeout',
] as const) {
  app.addHook(name, function (request, reply, done) {
    same<FastifyInstance>()(this)
    same<FastifyRequest>()(request)
    same<FastifyReply>()(reply)
    same<HookHandlerDoneFunction>()(done)
    done()
    done(new Error())
    // @ts-expect-error not an error
    done('failed')
  })
  app.addHook(name, async (request, reply) => {
    if (request.is404) return reply.send()
    return undefined
  })
}
app.addHook('preParsing', function (request, _reply, payload, done) {
  same<RequestPayload>()(payload)
  payload.receivedEncodedLength = 1
  done(null, payload)
  done(new Error(request.url))
  // @ts-expect-error not a stream
  done(null, 'text')
})
app.addHook('preParsing', async (_request, _reply, payload) => payload)
app.addHook('preSerialization', (_request, _reply, payload, done) => {
  same<unknown>()(payload)
  done()
  done(null, { payload })
})
app.addHook<{ total: number }>('preSerialization', async (_request, _reply, payload) => {
  same<number>()(payload.total)
  return payload
})
app.addHook<string>('onSend', (_request, reply, payload, done) => {
  reply.header('content-length', payload.length)
  done(null, payload)
})
app.addHook('onSend', async (_request, _reply, payload) => payload)
app.addHook('onError', (_request, _reply, error, done) => {
  same<FastifyError>()(error)
  done()
  // @ts-expect-error an error hook cannot change the error
  done(new Error())
})
app.addHook('onError', async (_request, _reply, error) => void error.statusCode)
app.addHook('onRequestAbort', (request, done) => {
  same<FastifyRequest>()(request)
  done()
})
app.addHook('onRequestAbort', async (request) => request.log.info('gone'))

// The application's hooks.
app.addHook('onRoute', function (route) {
  same<FastifyInstance>()(this)
  same<string>()(route.routePath)
  same<string>()(route.prefix)
  same<string>()(route.path)
  route.onRequest = [() => {}]
  route.preHandler = undefined
  route.config = {}
  route.handler = () => {}
})
app.addHook('onRegister', (instance, options) => {
  same<FastifyInstance>()(instance)
  same<string | undefined>()((options satisfies RegisterOptions).prefix)
})
app.addHook('onReady', function (done) {
  same<FastifyInstance>()(this)
  done()
})
app.addHook('onReady', async function () {
  same<FastifyInstance>()(this)
})
app.addHook('onClose', (instance, done) => {
  same<FastifyInstance>()(instance)
  done()
})
app.addHook('onClose', async (instance) => instance.log.info('closed'))
app.addHook('preClose', (done) => done())
app.addHook('preClose', async function () {
  this.log.info('closing')
})
// @ts-expect-error no such hook
app.addHook('onRequests', () => {})

// Generics of a hook: the route's parts, its config.
app.addHook<{ Params: { id: string } }, { desk: string }>('preHandler', (request, _reply, done) => {
  same<string>()(request.params.id)
  same<string>()(request.routeOptions.config.desk)
  done()
})

// Handlers that are typed apart.
const first: onRequestHookHandler = (_request, _reply, done) => done()
const parsing: preParsingHookHandler = (_request, _reply, payload, done) => done(null, payload)
const send: onSendHookHandler<string> = (_request, _reply, payload, done) =>
  done(null, payload + '\n')
const asyncOne: preHandlerAsyncHookHandler = async (request) => request.id
app.addHook('onRequest', first).addHook('preParsing', parsing).addHook('preHandler', asyncOne)
app.addHook<string>('onSend', send)
app.get('/', { onRequest: first, preParsing: [parsing] }, () => {})
// Hooks that differ in their time only are interchangeable.
export type SameShape = Expect<Equal<onRequestHookHandler, preHandlerHookHandler>>

// A guard that is used by several routes.
function guard(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.headers.authorization === undefined) reply.code(401)
  done()
}
app.addHook('preHandler', guard)
app.get<{ Body: { a: 1 } }>('/guarded', { preHandler: [guard] }, (request) => void request.body.a)

const listed: RouteOptions[] = []
app.addHook('onRoute', (route) => void listed.push(route))
