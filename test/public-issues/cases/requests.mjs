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
    issue: 'fastify/fastify#6942',
    what: 'mediaType of an invalid content type is `undefined/undefined`',
    app: reads(({ mediaType = 'none' }) => ({ type: mediaType })),
    ask: ['json', 'a/b/c', 'Text/Plain ; a=b'].map((type) => ({
      url: '/',
      headers: { 'content-type': type },
    })),
    right: ['200 | {"type":"none"}', '200 | {"type":"none"}', '200 | {"type":"text/plain"}'],
  },
  {
    issue: 'fastify/fastify#5925',
    what: 'invalid JSON has no code of its own',
    app: parses(),
    ask: [post('application/json', '{"a":')],
  },
  {
    issue: 'fastify/fastify#6528',
    what: 'the message of 415 repeats what the client sent',
    app: parses(),
    ask: [post('text/<b>', 'x'), { method: 'POST', url: '/', payload: 'x' }],
  },
  {
    issue: 'fastify/fastify#6603',
    what: 'request.port takes a part of an IPv6 address for the port',
    app: reads(hostAndPort),
    ask: ['[::1]', '[::1]:80', 'a.b', 'a.b:81', 'a.b:8x'].map((host) => ({
      url: '/',
      headers: { host },
    })),
    right: [
      '200 | {"host":"[::1]","port":null}',
      '200 | {"host":"[::1]:80","port":80}',
      '200 | {"host":"a.b","port":null}',
      '200 | {"host":"a.b:81","port":81}',
      '200 | {"host":"a.b:8x","port":null}',
    ],
  },
  {
    issue: 'fastify/fastify#6680',
    what: 'request.port is that of the Host header instead of the forwarded one',
    options: () => ({ trustProxy: true }),
    app: reads(hostAndPort),
    ask: [{ url: '/', headers: { host: 'inner:3000', 'x-forwarded-host': 'a.example:8443' } }],
    right: ['200 | {"host":"a.example:8443","port":8443}'],
  },
  {
    issue: 'fastify/fastify#5892',
    what: 'without a Host header, request.host and hostname throw or are undefined',
    app: reads(hostAndPort),
    ask: async ({ exchange, note }) => note(lastLine(await exchange('GET / HTTP/1.0'))),
    right: ['{"host":"","port":null}'],
  },
  {
    issue: 'fastify/fastify#5764',
    what: 'an empty Host header crashes request.port',
    app: reads(hostAndPort),
    ask: async ({ exchange, note }) =>
      note(lastLine(await exchange('GET / HTTP/1.1', 'host:', 'connection: close'))),
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
