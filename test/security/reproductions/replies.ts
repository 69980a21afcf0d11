import { createReadStream } from 'node:fs'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { Reproduction } from '../reproduction.ts'

/** Headers, hooks, errors and trailers of answers. */
export const replies: readonly Reproduction[] = [
  {
    advisory: 'fastify 5.12',
    what: 'an array passed as `set-cookie` is modified, which leaks cookies to other clients',
    async attack({ app, ask }) {
      const common = ['theme=dark', 'lang=en']
      app.get('/:user', (request, reply) => {
        const { user } = request.params as { user: string }
        reply.header('set-cookie', common).header('set-cookie', `session=${user}`)
        reply.send(reply.getHeader('set-cookie'))
      })
      await ask(app, '/alice')
      await ask(app, '/mallory')
    },
    framework: [
      '200 ["theme=dark","lang=en","session=alice"]',
      '200 ["theme=dark","lang=en","session=mallory"]',
    ],
  },
  {
    advisory: 'fastify 4.25.0',
    what: 'sending a typed array that views part of a buffer sends the whole buffer',
    async attack({ app, ask }) {
      const pool = Buffer.from('key=secret;public')
      const { buffer } = new Uint8Array(pool)
      app.get('/', (_request, reply) => void reply.send(new Uint8Array(buffer, 11)))
      await ask(app, '/')
    },
    framework: ['200 public'],
  },
  {
    advisory: 'fastify 5.12',
    what: 'a line break in the value of a trailer crashes the process',
    async attack({ app, exchange, note }) {
      app.get('/', (_request, reply) => {
        reply
          .trailer('x-name', async () => 'a\r\nset-cookie: b')
          .trailer('x-sum', async () => '1')
          .send('sent')
      })
      const answer = await exchange(app, 'GET / HTTP/1.1', 'host: a', 'connection: close')
      note(answer.slice(answer.lastIndexOf('\r\n0\r\n') + 5).trim())
    },
    framework: ['x-sum: 1'],
  },
  ...(
    [
      ['x-sum', '1', { 'x-sum': '1' }],
      ['etag', ['1', '2'], { etag: '1, 2' }],
      ['x-sum', undefined, undefined],
      ['connection', 'close', undefined],
    ] as const
  ).map(([name, value, sent]): Reproduction => ({
    advisory: 'GHSA-4mh8-r7rc-xpvc',
    what: `the trailer "${name}: ${value}" crashes the process over HTTP/2`,
    row: 'a trailer crashes the process over HTTP/2',
    async attack({ create, note }) {
      const app = create({ http2: true })
      app.get('/', (_request, reply) => {
        reply.trailer(name, (_reply, _payload, done) => done(null, value as string)).send('sent')
      })
      const session = connect(await app.listen({ port: 0, host: '127.0.0.1' }))
      const stream = session.request({ ':path': '/' })
      stream.on('trailers', (trailers) => note(JSON.stringify(trailers)))
      note(await text(stream))
      session.destroy()
    },
    framework: sent === undefined ? ['sent'] : [JSON.stringify(sent), 'sent'],
  })),
  {
    advisory: 'fastify 5.9.0',
    what: 'a trailer function that calls back twice drops other trailers',
    async attack({ app, note }) {
      app.get('/', (_request, reply) => {
        reply
          .trailer('x-once', (_reply, _payload, done) => {
            done(null, '1')
            done(null, '2')
          })
          .trailer('x-late', (_reply, _payload, done) => void setTimeout(done, 10, null, '3'))
          .send('sent')
      })
      const { statusCode, trailers } = await app.inject('/')
      note(`${statusCode} ${JSON.stringify(trailers)}`)
    },
    framework: ['200 {"x-once":"1","x-late":"3"}'],
  },
  {
    advisory: 'fastify 5.11.0',
    what: 'an invalid header crashes the process when there is an async `onSend` hook',
    async attack({ app, note }) {
      app.addHook('onSend', async () => {})
      app.get('/', (request, reply) => {
        const { name } = request.query as { name: string }
        reply.header('x-name', name).send('sent')
      })
      const { statusCode } = await app.inject('/?name=a%0ab')
      note(String(statusCode))
    },
    framework: ['500'],
  },
  {
    advisory: 'fastify 5.12',
    what: 'an error with an invalid `statusCode` crashes the process',
    async attack({ app, note }) {
      app.get('/', async () => {
        throw Object.assign(new Error('failed'), { statusCode: 1000 })
      })
      const { statusCode } = await app.inject('/')
      note(String(statusCode))
    },
    framework: ['500'],
  },
  {
    advisory: 'none published',
    what: 'a stream that fails after an answer was sent crashes the process',
    async attack({ app, ask }) {
      app.get('/', async (_request, reply) => {
        reply.send('sent')
        return createReadStream('/no/such/file')
      })
      await ask(app, '/')
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
    framework: ['200 sent'],
  },
  {
    advisory: 'none published',
    what: 'a stream that fails while an `onSend` hook waits crashes the process',
    async attack({ app, note }) {
      app.addHook('onSend', async () => createReadStream('/no/such/file'))
      app.addHook('onSend', () => new Promise((resolve) => setTimeout(resolve, 50)))
      app.get('/', async () => 'text')
      const { statusCode } = await app.inject('/')
      note(String(statusCode))
    },
    framework: ['500'],
  },
  {
    advisory: 'fastify 4.26.2',
    what: 'an `onSend` hook that calls back with a string as the error shows an internal message',
    async attack({ app, ask }) {
      app.addHook('onSend', (_request, _reply, _payload, done) => done('denied' as never))
      app.get('/', async () => 'secret')
      await ask(app, '/')
    },
    framework: ['500 {"statusCode":500,"error":"Internal Server Error"}'],
  },
]
