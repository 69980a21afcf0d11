// An application with all plugins for Fastify 5. Prints what it answers.
import { createServer } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const folder = process.env.PEER_SUITE
const require = createRequire(join(folder, 'app.js'))
const used = new Set()
const plugin = (name) => {
  used.add(`@fastify/${name}`)
  return require(`@fastify/${name}`)
}
const fastify = require('fastify')
const { Type } = require('typebox')
const { TypeBoxValidatorCompiler } = require('@fastify/type-provider-typebox')
const { serializerCompiler, validatorCompiler } = require('fastify-type-provider-zod')
const { z } = require('zod')

const files = join(folder, 'together')
mkdirSync(join(files, 'routes'), { recursive: true })
writeFileSync(join(files, 'page.ejs'), '<p><%= text %></p>')
writeFileSync(join(files, 'static.txt'), 'a file')
writeFileSync(
  join(files, 'routes/loaded.cjs'),
  "module.exports = async (app) => { app.get('/', async () => 'loaded') }",
)

const upstream = createServer((request, response) =>
  response.end(`upstream ${request.url}`),
).listen(0)
const app = fastify({ ajv: { plugins: [plugin('multipart').ajvFilePlugin] } })

app.register(plugin('swagger'), { openapi: { info: { title: 'All', version: '1' } } })
app.register(plugin('swagger-ui'), { routePrefix: '/docs' })
app.register(plugin('sensible'), { sharedSchemaId: 'HttpError' })
app.register(plugin('under-pressure'), { exposeStatusRoute: true })
app.register(plugin('helmet'))
app.register(plugin('cors'), { origin: 'https://a.example', credentials: true })
app.register(plugin('compress'), { threshold: 100 })
app.register(plugin('cookie'), { secret: 'a secret of the cookies, long enough' })
app.register(plugin('session'), {
  secret: 'a secret of the sessions, long enough',
  cookie: { secure: false },
})
app.register(plugin('csrf-protection'), { sessionPlugin: '@fastify/session' })
app.register(plugin('formbody'))
app.register(plugin('multipart'), { attachFieldsToBody: true })
app.register(plugin('jwt'), { secret: 'a secret of the tokens' })
app.register(plugin('rate-limit'), { max: 3, global: false })
app.register(plugin('static'), { root: files, prefix: '/files/' })
app.register(plugin('view'), { engine: { ejs: require('ejs') }, root: files })
app.register(plugin('websocket'))
app.register(plugin('reply-from'), { base: `http://127.0.0.1:${upstream.address().port}` })
app.register(plugin('autoload'), { dir: join(files, 'routes'), options: { prefix: '/loaded' } })
app.register(async (secret) => {
  secret.register(plugin('bearer-auth'), { keys: new Set(['key']) })
  secret.get('/secret', async () => 'told')
})
app.register(async (guarded) => {
  guarded.register(plugin('auth'))
  guarded.register(plugin('basic-auth'), {
    validate: async (name, password) => {
      if (name + password !== 'ab') throw new Error('unknown')
    },
    authenticate: true,
  })
  guarded.after(() =>
    guarded.get('/basic', { preHandler: guarded.auth([guarded.basicAuth]) }, async () => 'in'),
  )
})
app.register(async (middle) => {
  middle.register(plugin('middie')).after(() =>
    middle.use('/middle', (_request, response, next) => {
      response.setHeader('x-middle', 'yes')
      next()
    }),
  )
  middle.get('/middle', async () => 'behind')
})

app.register(async (routes) => {
  routes.get('/view', (_request, reply) => reply.view('page.ejs', { text: 'a < b' }))
  routes.get('/from', (_request, reply) => reply.from('/there'))
  routes.get('/limited', { config: { rateLimit: { max: 2 } } }, async () => 'within')
  routes.get('/long', async () => ({ text: 'long '.repeat(100) }))
  routes.get('/visits', async (request) => ({
    visits: (request.session.visits = (request.session.visits ?? 0) + 1),
  }))
  routes.get('/token', async (_request, reply) => ({
    isText: typeof reply.generateCsrf() === 'string',
  }))
  routes.post('/guarded', { onRequest: app.csrfProtection }, async () => 'passed')
  routes.get('/sign', async (_request, reply) => reply.jwtSign({ user: 'a', iat: 1 }))
  routes.get('/verify', async (request) => request.jwtVerify())
  routes.get(
    '/error',
    { schema: { response: { 404: { $ref: 'HttpError#' } } } },
    async (_request, reply) => reply.notFound('nothing here'),
  )
  routes.post('/form', async (request) => request.body)
  routes.post(
    '/upload',
    {
      schema: {
        consumes: ['multipart/form-data'],
        body: { type: 'object', properties: { file: { isFile: true } } },
      },
    },
    async (request) => ({
      name: request.body.file.filename,
      text: (await request.body.file.toBuffer()).toString(),
    }),
  )
  routes.get('/socket', { websocket: true }, (socket) =>
    socket.on('message', (data) => socket.send(`echo ${data}`)),
  )
})
app.register(async (typed) => {
  typed.setValidatorCompiler(TypeBoxValidatorCompiler)
  typed.post(
    '/typebox',
    { schema: { body: Type.Object({ a: Type.Number() }) } },
    async (request) => request.body,
  )
})
app.register(async (typed) => {
  typed.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler)
  const schema = {
    body: z.object({ a: z.number() }),
    response: { 200: z.object({ a: z.number() }) },
  }
  typed.post('/zod', { schema }, async (request) => request.body)
})

await app.listen({ port: 0, host: '127.0.0.1' })
const multipart =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\ncontent\r\n--x--\r\n'
const token = (await app.inject('/sign')).body
const requests = [
  ...'/docs/json /docs/static/index.css /status /long /files/static.txt /files/missing'.split(' '),
  ...'/view /from /loaded /limited /limited /limited /visits /token /error /verify'.split(' '),
  ...'/secret /basic'.split(' '),
  { url: '/basic', headers: { authorization: `Basic ${btoa('a:b')}` } },
  '/middle',
  { url: '/secret', headers: { authorization: 'Bearer key' } },
  { url: '/verify', headers: { authorization: `Bearer ${token}` } },
  { url: '/long', headers: { 'accept-encoding': 'gzip' } },
  {
    method: 'OPTIONS',
    url: '/view',
    headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' },
  },
  { method: 'POST', url: '/guarded' },
  {
    method: 'POST',
    url: '/form',
    payload: 'a=1&b=2',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  {
    method: 'POST',
    url: '/upload',
    payload: multipart,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  },
  { method: 'POST', url: '/upload', payload: { file: 'none' } },
  ...[{ a: 1 }, { a: 'x' }].flatMap((payload) =>
    ['/typebox', '/zod'].map((url) => ({ method: 'POST', url, payload })),
  ),
]
console.log([...used].toSorted((a, b) => a.localeCompare(b)).join())
const random = /^(date|set-cookie|content-security-policy|etag|last-modified)$/
for (const request of requests) {
  const { statusCode, headers, rawPayload } = await app.inject(request)
  const stable = Object.entries(headers).map(([name, value]) => [
    name,
    random.test(name) ? typeof value : value,
  ])
  const text = rawPayload.toString('latin1').replace(/"timestamp":"[^"]*"/, '"timestamp":""')
  console.log(JSON.stringify([request.url ?? request, statusCode, stable, text]))
}
const socket = new (require('ws'))(`ws://127.0.0.1:${app.server.address().port}/socket`)
socket.on('open', () => socket.send('hello'))
console.log(String(await new Promise((resolve) => socket.on('message', resolve))))
socket.terminate()
upstream.close()
await app.close()
