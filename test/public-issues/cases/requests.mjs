import { parses, post, reads } from './applications.mjs'

const hostAndPort = ({ host, port }) => ({ host, port })
const lastLine = (answer) => answer.split('\r\n').at(-1)

/** Content types, bodies, hosts and what is read of a request. */
export const issues = [
  {
    issue: 'fastify/fastify#5742',
    what: 'content types are compared with upper and lower case',
    app: parses('text/CSV'),
    ask: [post('text/csv', 'x'), post('TEXT/CSV; a=b', 'x'), post('Application/JSON', '{}')],
    right: ['200 | {"body":"x"}', '200 | {"body":"x"}', '200 | {"body":{}}'],
  },
  {
    issue: 'fastify/fastify#5329',
    what: 'hasContentTypeParser misses a type in another spelling, so it is added twice',
    app: parses('text/csv'),
    ask: ({ app, note }) => {
      note(app.hasContentTypeParser(' Text/CSV '))
      app.addContentTypeParser(' Text/CSV ', { parseAs: 'string' }, async () => 'second')
    },
    right: [
      'true',
      "throws FST_ERR_CTP_ALREADY_PRESENT Content type parser 'text/csv' already present.",
    ],
  },
  {
    issue: 'fastify/fastify#6865',
    what: 'a `;` inside quotes ends a parameter of the content type',
    app: (app) => {
      app.post('/', async (request) => ({ type: request.mediaType, body: request.body }))
    },
    ask: [post('application/json; a="b;c=d"', '{"a":1}')],
    right: ['200 | {"type":"application/json","body":{"a":1}}'],
  },
  {
    issue: 'fastify/fastify#5892',
    what: 'without a Host header, request.host and hostname throw or are undefined',
    app: reads(hostAndPort),
    ask: async ({ exchange, note }) => note(lastLine(await exchange('GET / HTTP/1.0'))),
    right: ['{"host":"","port":null}'],
  },
  {
    issue: 'fastify/secure-json-parse#142',
    what: '`constructor: null` in a body crashes the parser',
    app: parses(),
    ask: [post('application/json', '{"constructor":null}')],
    right: ['200 | {"body":{"constructor":null}}'],
  },
  {
    issue: 'fastify/light-my-request#317',
    what: 'inject keeps waiting if the handler closes the connection',
    app: (app) => {
      app.get('/', (request) => void request.raw.destroy())
    },
    ask: ['/'],
  },
]
