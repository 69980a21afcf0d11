/** Published applications on Fastify 5 that need modules or features that workerd lacks. */
import { type Application, type Ask, form, gets, posts, usual } from './published.ts'

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
    bootStop: /it ends the process with the code 1/,
    env: (folder) => ({
      TURBO_TOKEN: 'secret',
      STORAGE_PROVIDER: 'local',
      STORAGE_PATH: folder,
      LOG_LEVEL: 'silent',
    }),
    generatesCode: true,
    // It creates random numbers when it is loaded.
    notOnWorkerd: /within global scope|Code generation/,
    calls: [
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
    // Node 20, which builds it, lacks the module.
    bootStop: /No such built-in module: node:sqlite|^boots$/,
    env: () => ({ FAUXQS_LOGGER: 'false' }),
    node: '24',
    notOnWorkerd: /AOT_TARGET_LACKS\n"node:sqlite" does not work on workerd/,
    varies:
      /[0-9a-f]{8}-[0-9a-f-]{27}|[0-9A-F]{16}|\d{4}-\d\d-\d\dT[^<"]*|\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|"\d{10}"/g,
    calls: [
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
      ...gets('/bucket?list-type=2 /bucket/missing'),
      ['DELETE', '/bucket/a/file.txt'],
      ...gets('/_fauxqs/queues /_fauxqs/queues/missing'),
    ],
  },
  '@hasura/ndc-sdk-typescript': {
    version: '8.5.0',
    hasRules: true,
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
    calls: [
      ...usual('/health'),
      ['GET', '/capabilities'],
      ['GET', '/capabilities', { 'accept-encoding': 'gzip' }],
      ['GET', '/capabilities', { 'x-hasura-ndc-version': '9.0.0' }],
      ['GET', '/capabilities', { 'x-hasura-ndc-version': 'new' }],
      ['GET', '/capabilities', { authorization: 'Bearer one' }],
      ['GET', '/schema'],
      ...['/query', '/query/explain'].flatMap((path) =>
        posts(
          path,
          '{"collection":"books","query":{"limit":1,"fields":{"id":{"type":"column","column":"id"}}},"arguments":{},"collection_relationships":{}}',
          '{"collection":"books","query":{"limit":-1},"arguments":{},"collection_relationships":{}}',
          '{"collection":1,"query":{"fields":{"id":{"type":"none"}}}}',
          '[]',
        ),
      ),
      ...['/mutation', '/mutation/explain'].flatMap((path) =>
        posts(
          path,
          '{"operations":[{"type":"procedure","name":"add","arguments":{}}],"collection_relationships":{}}',
          '{"operations":[{"type":"none"}]}',
        ),
      ),
    ],
  },
}
