import { Readable } from 'node:stream'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Reproduction, Target } from '../reproduction.ts'

const post = (payload: string | Buffer, type: string): InjectOptions => ({
  method: 'POST',
  url: '/',
  payload,
  headers: { 'content-type': type },
})

function answerLength(app: FastifyInstance): void {
  app.post('/', async ({ body }) => `${(body as { length: number }).length} read`)
}

const tooLarge =
  '413 {"statusCode":413,"code":"FST_ERR_CTP_BODY_TOO_LARGE","error":"Payload Too Large","message":"Request body is too large"}'

/** Sends a body that the schema refuses as each content type; an answer of 200 would have bypassed it. */
async function tryTypes({ app, note }: Target, types: readonly string[]): Promise<void> {
  const schema = { body: { type: 'object', required: ['name'] } }
  app.post('/', { schema }, async () => 'not checked')
  for (const type of types) {
    const { statusCode } = await app.inject(post('{"admin":true}', type))
    note(`${JSON.stringify(type)} ${statusCode}`)
  }
}

/** Requests whose body isn't read, by the status of their answer. */
const unread: Readonly<Record<string, readonly [head: readonly string[], body: string]>> = {
  '413, for a body that is too long,': [
    ['POST / HTTP/1.1', 'content-type: application/json'],
    'x'.repeat(600),
  ],
  '415, for an unknown content type,': [['POST / HTTP/1.1', 'content-type: x/y'], 'x'.repeat(100)],
  '200, for GET with a body,': [['GET / HTTP/1.1'], 'x'.repeat(100)],
  '404, below a prefix,': [['POST /under/x HTTP/1.1', 'content-type: x/y'], 'x'.repeat(100)],
}

/** Reading and parsing bodies. */
export const bodies: readonly Reproduction[] = [
  {
    advisory: 'fastify 4.22.0',
    what: '`bodyLimit` ignores the size after a `preParsing` hook decompresses the body',
    async attack({ create, ask }) {
      const app = create({ bodyLimit: 1000 })
      answerLength(app)
      app.addContentTypeParser('text/x', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      )
      app.addHook('preParsing', async (_request, _reply, payload) => {
        const packed = Buffer.concat(await (payload as Readable).toArray())
        const unpacked = Readable.from([gunzipSync(packed)], { objectMode: false })
        return Object.assign(unpacked, { receivedEncodedLength: packed.length })
      })
      await ask(app, post(gzipSync('a'.repeat(100_000)), 'text/x'))
    },
    framework: [tooLarge],
  },
  {
    advisory: 'fastify 5.5.0',
    what: '`bodyLimit` counts characters instead of bytes when a body is parsed as text',
    async attack({ create, exchange, note }) {
      const app = create({ bodyLimit: 10 })
      answerLength(app)
      const head = ['POST / HTTP/1.1', 'host: a', 'connection: close', 'content-type: text/plain']
      const body = ['1e', '€'.repeat(10), '0']
      const answer = await exchange(app, ...head, 'transfer-encoding: chunked', '', ...body)
      note(answer.split('\r\n').at(-1)!)
    },
    framework: [tooLarge.slice(4)],
  },
  {
    advisory: 'CVE-2026-25223',
    what: 'a tab in the content type bypasses validation of the body',
    attack: (target) =>
      tryTypes(target, ['application/json', 'application/json\ta', 'application/json;\ta']),
    framework: 'same',
  },
  {
    advisory: 'CVE-2025-32442',
    what: 'another spelling of the content type bypasses validation of the body',
    attack: (target) =>
      tryTypes(target, [
        'ApPlIcAtIoN/JsOn',
        'application/json ;',
        'application/ json',
        'application/json ; charset=utf-8',
        'application/json,text/plain',
      ]),
    framework: 'same',
  },
  {
    advisory: 'CVE-2026-33806',
    what: 'a space before the content type bypasses validation of the body',
    attack: (target) => tryTypes(target, [' application/json', '\tapplication/json']),
    framework: 'same',
  },
  {
    advisory: 'CVE-2026-3419',
    what: 'trailing text after the content type is accepted',
    attack: (target) => tryTypes(target, ['application/json garbage', 'application/json@x']),
    framework: 'same',
  },
  {
    advisory: 'fastify 5.11.3',
    what: 'a content type parser with a `g` regular expression misses every other match',
    async attack({ app, note }) {
      app.addContentTypeParser(/^text\/x-/g, { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      )
      answerLength(app)
      for (const type of ['text/x-a', 'text/x-b', 'text/x-c']) {
        const { statusCode } = await app.inject(post('text', type))
        note(`${type} ${statusCode}`)
      }
    },
    framework: ['text/x-a 200', 'text/x-b 200', 'text/x-c 200'],
  },
  ...Object.entries(unread).map(([what, [head, body]]): Reproduction => ({
    advisory: 'none published',
    what: `${what} crashes the process if a \`preParsing\` hook decompresses it`,
    row: 'a body that is never read crashes the process if a `preParsing` hook decompresses it',
    async attack({ create, exchange, note }) {
      const app = create({ bodyLimit: 500 })
      app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()))
      answerLength(app)
      app.get('/', async () => 'read')
      app.register(
        async (context) =>
          void context.setNotFoundHandler(
            (_request, reply) => void reply.code(404).send('missing'),
          ),
        { prefix: '/under' },
      )
      const lines = ['host: a', 'connection: close', `content-length: ${body.length}`, '', body]
      const answer = await exchange(app, ...head, ...lines)
      note(answer.slice(9, 12))
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
    framework: [what.slice(0, 3)],
  })),
  {
    advisory: 'fastify 5.8.2',
    what: 'parsing a long content type takes quadratic time',
    async attack({ app, note }) {
      app.post('/', async () => 'read')
      for (const type of [
        `a/b${';'.repeat(200_000)}`,
        `a/b;${' '.repeat(200_000)}x`,
        `a/b; a=${'"'.repeat(200_000)}`,
        `a/b;${'a'.repeat(200_000)}`,
      ]) {
        const { statusCode } = await app.inject(post('{}', type))
        note(String(statusCode))
      }
    },
    framework: 'same',
  },
]
