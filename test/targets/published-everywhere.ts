/** Published applications on Fastify 5 that also run on workerd. */
import { type Application, type Ask, form, gets, json, posts, usual } from './published.ts'

export const applications: Readonly<Record<string, Application>> = {
  '@jaredwray/mockhttp': {
    version: '2.0.0',
    entry: 'start.mjs',
    start: "import { start } from './dist/index.mjs'\n\nawait start()\n",
    worker: `import MockHttp from './dist/index.mjs'

export default async () => {
  const mockHttp = new MockHttp({ logging: false })
  await mockHttp.initialize()
  return mockHttp.server
}
`,
    env: () => ({ LOGGING: 'false' }),
    // workerd sorts headers, sends a 304 without length, and has no working directory.
    differsOnWorkerd: /"x-own"|^GET \/(?:headers|image|status\/304)|HEAD \/image/,
    calls: [
      ...usual('/get'),
      ...['get', 'post', 'put', 'patch', 'delete'].map((path): Ask => [
        path.toUpperCase(),
        `/${path}?a=1&a=2&b=`,
        { ...json, 'x-own': 'e' },
        '{"a":[1,{"b":null}]}',
      ]),
      ['POST', '/post', form, 'a=1&b=2'],
      ['POST', '/post', { 'content-type': 'text/plain; charset=utf-8' }, 'text'],
      ['POST', '/anything', { 'content-type': 'application/octet-stream' }, 'bytes'],
      ...['200', '204', '304', '404', '418', '500'].map((code): Ask => ['GET', `/status/${code}`]),
      ['GET', '/headers', { accept: '*/*', 'x-two': 'a, b' }],
      ['GET', '/user-agent', { 'user-agent': 'test' }],
      ['GET', '/user-agent'],
      ...gets('/cache /cache/60 /cache/x /etag/one /response-headers?a=1&b=2 /response-headers'),
      ['GET', '/etag/one', { 'if-none-match': 'one' }],
      ['GET', '/cache', { 'if-none-match': 'x' }],
      ...['plain/0', 'text/0', 'json/0', 'json/1', 'json/99', 'json/x'].flatMap(
        (path): readonly Ask[] => [
          ['GET', `/${path}`],
          ['POST', `/${path}`, json, '{"a":1}'],
        ],
      ),
      ...gets(`
        /absolute-redirect/2 /relative-redirect/2 /relative-redirect/x /redirect-to?url=%2Fget
        /redirect-to
      `),
      ['GET', '/cookies', { cookie: 'a=1; b=two' }],
      ...posts(
        '/cookies',
        '{"name":"a","value":"1","expires":"Thu, 01 Jan 2099 00:00:00 GMT"}',
        '{"value":"1"}',
      ),
      ['DELETE', '/cookies?name=a'],
      ['DELETE', '/cookies'],
      ['GET', '/basic-auth/user/word', { authorization: `Basic ${btoa('user:word')}` }],
      ...gets('/basic-auth/user/word /hidden-basic-auth/user/word'),
      ['GET', '/bearer', { authorization: 'Bearer one' }],
      ['GET', '/bearer'],
      ['GET', '/image', { accept: 'image/svg+xml' }],
      ['GET', '/image', { accept: 'text/plain' }],
      ['GET', '/image/png'],
      ['HEAD', '/image/png'],
      ...gets(`
        /base64/SGVsbG8%3D /base64/%25 /bytes/8?seed=1 /bytes/x /stream/3
        /stream-bytes/9?seed=1&chunk_size=4 /range/20 /range/x /links/3/1 /links/3 /links/x
        /drip?numbytes=3&duration=0 /delay/0 /delay/x
      `),
      ['GET', '/range/20', { range: 'bytes=2-5' }],
      ['GET', '/range/20', { range: 'bytes=90-' }],
      ...gets('/bins /bins/none'),
      ['POST', '/b/none/more', json, '{}'],
      ...gets('/ /favicon.ico /logo.png /docs/json /openapi.json /sitemap.xml'),
    ],
  },
  '@musistudio/llms': {
    version: '1.0.53',
    hasRules: true,
    entry: 'start.cjs',
    start: `const { default: Server } = require('./dist/cjs/server.cjs')

const { HOST, PORT } = process.env
const providers = [{ name: 'one', api_base_url: 'http://127.0.0.1:9/v1', api_key: 'key', models: ['small'] }]
new Server({ initialConfig: { HOST, PORT, providers }, logger: false }).start()
`,
    // It answers errors with their stacks, which errors of validation don't have here.
    varies: /(?<="(?:timestamp|updatedAt|createdAt)":")[^"]*|\\n {4}at [^"]*/g,
    calls: [
      ...usual('/health'),
      ...gets('/ /providers /providers/one /providers/none'),
      ...posts(
        '/providers',
        '{"id":"two","name":"two","type":"openai","baseUrl":"http://localhost/","apiKey":"k","models":["m"],"more":1}',
        '{"id":"two","name":"two"}',
        '{"id":1,"name":"two","type":"other","baseUrl":"","apiKey":"k","models":"m"}',
      ),
      ['PUT', '/providers/one', json, '{"name":"first","models":["a","b"]}'],
      ['PUT', '/providers/none', json, '{"models":"a"}'],
      ['PATCH', '/providers/one/toggle', json, '{"enabled":false}'],
      ['PATCH', '/providers/one/toggle', json, '{}'],
      ['DELETE', '/providers/one'],
      ['DELETE', '/providers/one'],
      ...posts('/v1/messages', '{}', '{"model":"none,small"}'),
    ],
  },
  '@react-foundry/fastify': {
    version: '0.1.1',
    hasRules: true,
    entry: 'start.cjs',
    start: `const { AuthMethod, Fastify } = require('./dist')

const { HOST: host, PORT } = process.env
const auth = { method: AuthMethod.Basic, username: 'emma', password: 'word', roles: ['reader'] }
const httpd = Fastify({ auth, logger: false, rateLimit: { max: 40, timeWindow: 86_400_000 } })
httpd.get('/', async (request) => ({ user: request.user }))
httpd.post('/', async (request) => request.body)
httpd.get('/fails', async () => { throw new Error('secret') })
httpd.listen({ port: Number(PORT), host })
`,
    varies: /(?<='nonce-)\w+|\b86[34]\d\d\b/g,
    calls: [
      ...usual('/'),
      ...[`Basic ${btoa('emma:word')}`, `Basic ${btoa('emma:wrong')}`, 'Basic %'].flatMap(
        (authorization): readonly Ask[] => [
          ...['/', '/fails', '/missing', '/healthz', '/readiness', '/auth/sign-out'].map(
            (path): Ask => ['GET', path, { authorization }],
          ),
          ['POST', '/', { ...json, authorization }, '{"a":1}'],
          ['POST', '/', { ...json, authorization }, '{'],
        ],
      ),
      ...Array.from({ length: 20 }, (): Ask => ['GET', '/healthz']),
    ],
  },
  'fastify-cli': {
    version: '8.0.2',
    entry: 'start.mjs',
    more: { '@fastify/autoload': '6.5.0', '@fastify/sensible': '6.0.6' },
    // The command starts the application that it has generated in this way.
    start: `import Fastify from 'fastify'
import appService from './templates/app-esm/app.js'

const app = Fastify()
app.register(appService)
app.listen({ port: process.env.PORT, host: process.env.HOST })
`,
    calls: [...usual('/example'), ['GET', '/'], ['HEAD', '/'], ['GET', '/example/'], ['PUT', '/']],
  },
  'copilot-sdk-proxy': {
    version: '1.0.6',
    entry: 'start.mjs',
    node: '24',
    // Instead of the service that it is a proxy of.
    start: `import { createServer, Logger, providers, Stats } from './dist/index.js'

const listeners = new Set()
const session = {
  on(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  async send({ prompt }) {
    const delta = ['assistant.message_delta', { deltaContent: 'You said: ' + prompt }]
    for (const [type, data] of [delta, ['assistant.message', {}], ['session.idle', {}]])
      for (const listener of listeners) listener({ type, data })
  },
  async abort() {},
}
const model = { id: 'small', capabilities: { supports: {} } }
const service = { cwd: '/', listModels: async () => [model], createSession: async () => session }
const config = { mcpServers: {}, allowedCliTools: ['*'], bodyLimit: 1024, autoApprovePermissions: true }
const { HOST: host, PORT } = process.env
const context = { service, logger: new Logger('none'), config, stats: new Stats() }
const register = (...args) => Object.values(providers).forEach((one) => one.register(...args))
const app = await createServer(context, { register })
await app.listen({ port: Number(PORT), host })
`,
    varies: /(?<="created(?:_at)?":|chatcmpl-)\d+|(?<="(?:msg|resp|item|msg_)_?)[0-9a-f-]{8,}/g,
    calls: [
      ...usual('/v1/models'),
      ...['chat/completions', 'messages', 'messages/count_tokens', 'responses'].flatMap((path) =>
        posts(
          `/v1/${path}`,
          '{"model":"small","messages":[{"role":"user","content":"Emma"}]}',
          '{"model":"small","max_tokens":9,"stream":true,"input":"Emma","messages":[{"role":"user","content":"Emma"}]}',
          '{"model":1,"messages":[],"stream":false}',
          '{"model":"small","messages":[{"role":"none"}]}',
          '[]',
          JSON.stringify({ model: 'x'.repeat(1100) }),
        ),
      ),
    ],
  },
  '@chainlink/external-adapter-framework': {
    version: '2.18.1',
    entry: 'start.cjs',
    node: '22',
    start: `const { expose } = require('./index.js')
const { Adapter, AdapterEndpoint } = require('./adapter')
const { AdapterConfig } = require('./config')
const { InputParameters } = require('./validation')

const inputParameters = new InputParameters({
  base: { aliases: ['from'], type: 'string', required: true, description: 'currency' },
  amount: { type: 'number', default: 1, description: 'how much' },
  side: { type: 'string', options: ['buy', 'sell'], description: 'which' },
})
const transport = {
  async initialize() {},
  async foregroundExecute({ requestContext: { data } }) {
    const result = data.amount * 2
    return { data: { ...data, result }, result, statusCode: 200, timestamps: {} }
  },
}
const endpoint = new AdapterEndpoint({ name: 'price', aliases: ['rate'], inputParameters, transport })
const { HOST: EA_HOST, PORT } = process.env
const envDefaultOverrides = { EA_HOST, EA_PORT: Number(PORT), METRICS_ENABLED: false, MAX_PAYLOAD_SIZE_LIMIT: 1048577 }
const config = new AdapterConfig({}, { envDefaultOverrides })
expose(new Adapter({ name: 'SHOP', defaultEndpoint: 'price', config, endpoints: [endpoint] }))
`,
    calls: [
      ...usual('/health'),
      ...['/', '/?a=1'].flatMap((path) =>
        posts(
          path,
          '{"data":{"base":"EUR","amount":3}}',
          '{"data":{"from":"EUR","endpoint":"rate","side":"buy"}}',
          '{"data":{"base":1}}',
          '{"data":{"base":"EUR","side":"hold"}}',
          '{"data":{"endpoint":"none"}}',
          '{"data":[]}',
          '[]',
        ),
      ),
      ['GET', '/'],
    ],
  },
  '@mia-platform/lc39': {
    version: '9.0.0',
    entry: 'start.cjs',
    start: `const launch = require('./lib/launch-fastify')

async function service(app) {
  const querystring = { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } } }
  app.get('/books', { schema: { querystring } }, async (request) => request.query)
  const title = { type: 'string', minLength: 1 }
  const body = { type: 'object', required: ['title'], properties: { title } }
  app.post('/books', { schema: { body } }, async (request, reply) => reply.code(201).send(request.body))
  app.get('/none', async (request, reply) => reply.notFound('no such book'))
}
const { HOST, PORT } = process.env
// prom-client measures the process.
const exposeMetrics = globalThis.navigator?.userAgent !== 'Cloudflare-Workers'
launch(service, { port: Number(PORT), logLevel: 'silent', exposeMetrics }, HOST)
`,
    // The documentation has no metrics there.
    differsOnWorkerd: /^GET \/documentation\/(?:json|yaml)/,
    calls: [
      ...usual('/books'),
      ...gets('/books?limit=2&more=1 /books?limit=0'),
      ...posts('/books', '{"title":"Emma","more":1}', '{"title":""}'),
      ...gets(`
        /none /-/healthz /-/ready /-/check-up /documentation /documentation/ /documentation/json
        /documentation/yaml /documentation/static/index.css /documentation/static/none.css
      `),
      ['HEAD', '/documentation/static/index.css'],
    ],
  },
}
