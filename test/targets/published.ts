/** Published applications on Fastify 5, and what is asked of each. */

export type Ask = readonly [
  method: string,
  path: string,
  headers?: Readonly<Record<string, string>>,
  body?: string,
]

export interface Application {
  readonly version: string
  /** The module that starts it. */
  readonly entry: string
  /** Its text, for a package that exports what starts it. */
  readonly start?: string
  /** The text of another entry for a Worker, which the first request boots. */
  readonly worker?: string
  /** @param folder an empty one */
  env?(folder: string): Readonly<Record<string, string>>
  /** The release of Node that it needs. */
  readonly node?: string
  /** Its packages generate code themselves. */
  readonly generatesCode?: true
  /** The message of a deployment to workerd, or of its start, if it can't run there. */
  readonly notOnWorkerd?: RegExp
  /** Requests whose answers in a Worker differ, by its platform. */
  readonly differsOnWorkerd?: RegExp
  /** Texts of answers that differ from run to run. */
  readonly varies?: RegExp
  readonly asks: readonly Ask[]
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** What all of them are asked about the address `path`. */
function usual(path: string): readonly Ask[] {
  return [
    ['GET', path],
    ['HEAD', path],
    ['OPTIONS', path, { origin: 'http://shop.test', 'access-control-request-method': 'GET' }],
    ['DELETE', path],
    ['POST', path, json, '{'],
    ['POST', path, json, ''],
    ['POST', path, { 'content-type': 'unknown/type' }, 'x'],
    ['POST', path, { ...json, 'content-length': '9999999999999999' }],
    ['GET', `${path}/not/there?a=%zz`],
    ['GET', '/%zz'],
    ['GET', '/missing'],
  ]
}

const target = (action: string): Readonly<Record<string, string>> => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `AmazonSQS.${action}`,
})

const tokens = ['wrong', 'secret'].flatMap((token) =>
  ['application/octet-stream', 'application/json'].map((type) => ({
    authorization: `Bearer ${token}`,
    'content-type': type,
  })),
)

export const applications: Readonly<Record<string, Application>> = {
  'turborepo-remote-cache': {
    version: '2.12.0',
    entry: 'dist/index.js',
    env: (folder) => ({
      TURBO_TOKEN: 'secret',
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: folder,
      LOG_LEVEL: 'silent',
    }),
    generatesCode: true,
    // It makes random numbers when it is loaded.
    notOnWorkerd: /within global scope|Code generation/,
    asks: [
      ...usual('/v8/artifacts/status'),
      ...[{}, ...tokens].flatMap((headers): readonly Ask[] => [
        ['GET', '/v8/artifacts/status?slug=team', headers],
        ['GET', '/v8/artifacts/missing?slug=team', headers],
        ['PUT', '/v8/artifacts/one?slug=team', headers, '["artifact"]'],
        ['GET', '/v8/artifacts/one?slug=team', headers],
        ['HEAD', '/v8/artifacts/one?slug=team', headers],
        ['GET', '/v8/artifacts/one', headers],
        ['POST', '/v8/artifacts/events', headers, '[]'],
        ['POST', '/v8/clean?olderThan=x', headers, '{}'],
      ]),
      ['OPTIONS', '/v8/artifacts/one'],
      ['GET', '/favicon.ico'],
    ],
  },
  fauxqs: {
    version: '2.4.1',
    entry: 'dist/cli.js',
    env: () => ({ FAUXQS_LOGGER: 'false' }),
    node: '24',
    notOnWorkerd: /AOT_TARGET_LACKS\n"node:sqlite" does not work on workerd/,
    varies:
      /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9A-F]{16}|\d{4}-\d\d-\d\dT[^<"]*|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|"\d{10}"/g,
    asks: [
      ...usual('/health'),
      ['POST', '/', target('CreateQueue'), '{"QueueName":"orders"}'],
      ['POST', '/', target('CreateQueue'), '{"QueueName":"no name"}'],
      ['POST', '/', target('ListQueues'), '{}'],
      ['POST', '/', target('Unknown'), '{}'],
      ['POST', '/', target('ListQueues'), '{'],
      ['POST', '/', form, 'Action=CreateTopic&Name=news&Version=2010-03-31'],
      ['POST', '/', form, 'Action=ListTopics&Version=2010-03-31'],
      ['POST', '/', form, 'Action=GetCallerIdentity&Version=2011-06-15'],
      ['POST', '/', form, 'Action=Unknown'],
      ['PUT', '/bucket'],
      ['HEAD', '/bucket'],
      [
        'PUT',
        '/bucket/a/file.txt',
        { 'content-type': 'text/plain', 'x-amz-meta-of': 'Emma' },
        'text/0',
      ],
      ['GET', '/bucket/a/file.txt'],
      ['HEAD', '/bucket/a/file.txt'],
      ['GET', '/bucket/a/file.txt', { range: 'bytes=1-2' }],
      ['GET', '/bucket?list-type=2'],
      ['GET', '/bucket/missing'],
      ['DELETE', '/bucket/a/file.txt'],
      ['GET', '/_fauxqs/queues'],
      ['GET', '/_fauxqs/queues/missing'],
    ],
  },
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
    asks: [
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
      ...[
        'cache',
        'cache/60',
        'cache/x',
        'etag/one',
        'response-headers?a=1&b=2',
        'response-headers',
      ].map((path): Ask => ['GET', `/${path}`]),
      ['GET', '/etag/one', { 'if-none-match': 'one' }],
      ['GET', '/cache', { 'if-none-match': 'x' }],
      ...['plain/0', 'text/0', 'json/0', 'json/1', 'json/99', 'json/x'].flatMap(
        (path): readonly Ask[] => [
          ['GET', `/${path}`],
          ['POST', `/${path}`, json, '{"a":1}'],
        ],
      ),
      ...[
        'absolute-redirect/2',
        'relative-redirect/2',
        'relative-redirect/x',
        'redirect-to?url=%2Fget',
        'redirect-to',
      ].map((path): Ask => ['GET', `/${path}`]),
      ['GET', '/cookies', { cookie: 'a=1; b=two' }],
      [
        'POST',
        '/cookies',
        json,
        '{"name":"a","value":"1","expires":"Thu, 01 Jan 2099 00:00:00 GMT"}',
      ],
      ['POST', '/cookies', json, '{"value":"1"}'],
      ['DELETE', '/cookies?name=a'],
      ['DELETE', '/cookies'],
      ['GET', '/basic-auth/user/word', { authorization: `Basic ${btoa('user:word')}` }],
      ['GET', '/basic-auth/user/word'],
      ['GET', '/hidden-basic-auth/user/word'],
      ['GET', '/bearer', { authorization: 'Bearer one' }],
      ['GET', '/bearer'],
      ['GET', '/image', { accept: 'image/svg+xml' }],
      ['GET', '/image', { accept: 'text/plain' }],
      ['GET', '/image/png'],
      ['HEAD', '/image/png'],
      ...[
        'base64/SGVsbG8%3D',
        'base64/%25',
        'bytes/8?seed=1',
        'bytes/x',
        'stream/3',
        'stream-bytes/9?seed=1&chunk_size=4',
        'range/20',
        'range/x',
        'links/3/1',
        'links/3',
        'links/x',
        'drip?numbytes=3&duration=0',
        'delay/0',
        'delay/x',
      ].map((path): Ask => ['GET', `/${path}`]),
      ['GET', '/range/20', { range: 'bytes=2-5' }],
      ['GET', '/range/20', { range: 'bytes=90-' }],
      ['GET', '/bins'],
      ['GET', '/bins/none'],
      ['POST', '/b/none/more', json, '{}'],
      ['GET', '/'],
      ['GET', '/favicon.ico'],
      ['GET', '/logo.png'],
      ['GET', '/docs/json'],
      ['GET', '/openapi.json'],
      ['GET', '/sitemap.xml'],
    ],
  },
  '@musistudio/llms': {
    version: '1.0.53',
    entry: 'start.cjs',
    start: `const { default: Server } = require('./dist/cjs/server.cjs')

const { HOST, PORT } = process.env
const providers = [{ name: 'one', api_base_url: 'http://127.0.0.1:9/v1', api_key: 'key', models: ['small'] }]
new Server({ initialConfig: { HOST, PORT, providers }, logger: false }).start()
`,
    // It answers errors with their stacks, which errors of validation don't have here.
    varies: /(?<="(?:timestamp|updatedAt|createdAt)":")[^"]*|\\n {4}at [^"]*/g,
    asks: [
      ...usual('/health'),
      ['GET', '/'],
      ['GET', '/providers'],
      ['GET', '/providers/one'],
      ['GET', '/providers/none'],
      [
        'POST',
        '/providers',
        json,
        '{"id":"two","name":"two","type":"openai","baseUrl":"http://localhost/","apiKey":"k","models":["m"],"more":1}',
      ],
      ['POST', '/providers', json, '{"id":"two","name":"two"}'],
      [
        'POST',
        '/providers',
        json,
        '{"id":1,"name":"two","type":"other","baseUrl":"","apiKey":"k","models":"m"}',
      ],
      ['PUT', '/providers/one', json, '{"name":"first","models":["a","b"]}'],
      ['PUT', '/providers/none', json, '{"models":"a"}'],
      ['PATCH', '/providers/one/toggle', json, '{"enabled":false}'],
      ['PATCH', '/providers/one/toggle', json, '{}'],
      ['DELETE', '/providers/one'],
      ['DELETE', '/providers/one'],
      ['POST', '/v1/messages', json, '{}'],
      ['POST', '/v1/messages', json, '{"model":"none,small"}'],
    ],
  },
  '@hasura/ndc-sdk-typescript': {
    version: '8.5.0',
    entry: 'start.mjs',
    start: `import { startServer } from './dist/server.js'

const rows = [{ id: 1, title: 'Emma' }, { id: 2, title: 'Persuasion' }]
const none = { scalar_types: {}, object_types: {}, collections: [], functions: [], procedures: [] }
const connector = {
  parseConfiguration: async () => ({}),
  tryInitState: async () => ({}),
  getCapabilities: () => ({ query: {}, mutation: {} }),
  getSchema: async () => none,
  query: async (_, __, request) => [{ rows: rows.slice(0, request.query.limit ?? 2) }],
  queryExplain: async () => ({ details: { plan: 'scan' } }),
  mutation: async () => ({ operation_results: [{ type: 'procedure', result: true }] }),
  mutationExplain: async () => ({ details: {} }),
  fetchMetrics: async () => undefined,
}
const { HOST: host, PORT } = process.env
const logs = { logLevel: 'silent', prettyPrintLogs: 'false' }
await startServer(connector, { configuration: '.', host, port: Number(PORT), ...logs })
`,
    // prom-client measures the process.
    notOnWorkerd: /process\.cpuUsage method is not implemented/,
    asks: [
      ...usual('/health'),
      ['GET', '/capabilities'],
      ['GET', '/capabilities', { 'accept-encoding': 'gzip' }],
      ['GET', '/capabilities', { 'x-hasura-ndc-version': '9.0.0' }],
      ['GET', '/capabilities', { 'x-hasura-ndc-version': 'new' }],
      ['GET', '/capabilities', { authorization: 'Bearer one' }],
      ['GET', '/schema'],
      ...['query', 'query/explain'].flatMap((path): readonly Ask[] => [
        [
          'POST',
          `/${path}`,
          json,
          '{"collection":"books","query":{"limit":1,"fields":{"id":{"type":"column","column":"id"}}},"arguments":{},"collection_relationships":{}}',
        ],
        [
          'POST',
          `/${path}`,
          json,
          '{"collection":"books","query":{"limit":-1},"arguments":{},"collection_relationships":{}}',
        ],
        ['POST', `/${path}`, json, '{"collection":1,"query":{"fields":{"id":{"type":"none"}}}}'],
        ['POST', `/${path}`, json, '[]'],
      ]),
      ...['mutation', 'mutation/explain'].flatMap((path): readonly Ask[] => [
        [
          'POST',
          `/${path}`,
          json,
          '{"operations":[{"type":"procedure","name":"add","arguments":{}}],"collection_relationships":{}}',
        ],
        ['POST', `/${path}`, json, '{"operations":[{"type":"none"}]}'],
      ]),
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
launch(service, { port: Number(PORT), logLevel: 'silent', exposeMetrics: true }, HOST)
`,
    // It reads the package.json of the working directory.
    notOnWorkerd: /No such module "bundle\/package\.json"/,
    asks: [
      ...usual('/books'),
      ['GET', '/books?limit=2&more=1'],
      ['GET', '/books?limit=0'],
      ['POST', '/books', json, '{"title":"Emma","more":1}'],
      ['POST', '/books', json, '{"title":""}'],
      ['GET', '/none'],
      ['GET', '/-/healthz'],
      ['GET', '/-/ready'],
      ['GET', '/-/check-up'],
      ['GET', '/documentation'],
      ['GET', '/documentation/'],
      ['GET', '/documentation/json'],
      ['GET', '/documentation/yaml'],
      ['GET', '/documentation/static/index.css'],
      ['GET', '/documentation/static/none.css'],
      ['HEAD', '/documentation/static/index.css'],
    ],
  },
}
