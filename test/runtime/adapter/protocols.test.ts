/** The same requests to every kind of server, over real connections. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import framework from 'framework'
import { createCertificate } from '../../support/certificate.ts'
import { assertSameOnConnections } from '../../support/connections.ts'
import { exchange, Wire } from '../../support/wire.ts'
import type { Note } from '../../support/differential.ts'

interface Question {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly trailers: IncomingHttpHeaders
}

interface Client {
  ask(question: Question): Promise<Answer>
  close(): void
}

type Protocol = 'http' | 'https' | 'h2' | 'h2c'

function openClient(protocol: Protocol, port: number): Client {
  if (protocol === 'http' || protocol === 'https') {
    return { ask: (question) => askHttp1(protocol, port, question), close: () => {} }
  }
  const scheme = protocol === 'h2' ? 'https' : 'http'
  const session = connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false })
  return {
    async ask({ method, path, headers, body }) {
      const stream = session.request({ ':method': method, ':path': path, ...headers })
      let trailers: IncomingHttpHeaders = {}
      stream.on('trailers', (received: IncomingHttpHeaders) => (trailers = received))
      stream.end(body)
      const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      const { ':status': status, ...rest } = received as Record<string, string>
      return { status: Number(status), headers: rest, body: await text(stream), trailers }
    },
    close: () => session.close(),
  }
}

async function askHttp1(
  protocol: 'http' | 'https',
  port: number,
  { method, path, headers, body }: Question,
): Promise<Answer> {
  const request = protocol === 'http' ? requestHttp : requestHttps
  const outgoing: OutgoingHttpHeaders = { ...headers }
  if (body !== undefined) outgoing['content-length'] = Buffer.byteLength(body)
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: outgoing,
    agent: false,
    rejectUnauthorized: false,
  }
  const sent = request(options).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await text(response),
    trailers: response.trailers,
  }
}

function build(app: FastifyInstance, note: Note): void {
  app.addHook('onRequest', async ({ protocol, ip, hostname, raw }) =>
    note('onRequest', protocol, ip, hostname?.replace(/\d+$/, ''), raw.httpVersion),
  )
  app.addHook('onResponse', async (_request, reply) => note('onResponse', reply.statusCode))
  app.all('/echo/:id', async ({ method, params, query, body, headers }) => {
    return { method, params, query, body, authority: ':authority' in headers, tea: headers.tea }
  })
  app.get('/headers', (_request, reply) => {
    reply.header('set-cookie', ['a=1', 'b=2']).header('X-Upper', 'U').raw.setHeader('x-raw', 'r')
    reply.code(206).send('text')
  })
  app.get('/stream', (_request, reply) => void reply.send(Readable.from(['one ', 'two'])))
  app.get('/broken', (_request, reply) => {
    reply.send(new Readable({ read: () => {} }).destroy(new Error('broken')))
  })
  app.get('/trailers', (_request, reply) => {
    reply.trailer('x-sum', (async (_reply: unknown, payload: unknown) => `${payload}!`) as never)
    reply.send('with trailers')
  })
  app.get('/buffer', async () => Buffer.from([0x68, 0x69]))
  app.get('/nothing', (_request, reply) => void reply.code(204).send())
  app.get('/redirect', (_request, reply) => void reply.redirect('/echo/1'))
  app.get('/error', async () => {
    throw Object.assign(new Error('teapot'), { statusCode: 418 })
  })
  app.get('/hijack', (_request, reply) => {
    reply.hijack()
    reply.raw.setHeader('x-own', '1')
    reply.raw.end('hijacked')
  })
}

const json = { 'content-type': 'application/json' }

const questions: readonly Question[] = [
  ...['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'POST'].map((method) => ({
    method,
    path: '/echo/7?a=1&a=2',
    headers: { tea: 'green' },
  })),
  { method: 'POST', path: '/echo/1', headers: json, body: '{"ä":[1]}' },
  { method: 'POST', path: '/echo/1', headers: json, body: '{"a":' },
  { method: 'POST', path: '/echo/1', headers: json, body: `"${'x'.repeat(200)}"` },
  { method: 'POST', path: '/echo/1', headers: { 'content-type': 'no/type' }, body: 'x' },
  ...['/headers', '/stream', '/broken', '/buffer', '/nothing', '/redirect'].map((path) => ({
    method: 'GET',
    path,
  })),
  ...['/error', '/hijack', '/unknown', '/echo/%zz'].map((path) => ({ method: 'GET', path })),
  { method: 'HEAD', path: '/headers' },
  { method: 'HEAD', path: '/stream' },
]

/** Over HTTP/2 a trailer ends Fastify's process. */
const onlyHttp1: readonly Question[] = [{ method: 'GET', path: '/trailers' }]

// Node keeps the connection of a client that it refuses open for a while, by default 10 s.
const certificate = { ...createCertificate(), unknownProtocolTimeout: 20 }

const servers: Record<string, { options: object; protocols: readonly Protocol[] }> = {
  http: { options: {}, protocols: ['http'] },
  https: { options: { https: certificate }, protocols: ['https'] },
  'HTTP/2': { options: { http2: true }, protocols: ['h2c'] },
  'secure HTTP/2': { options: { http2: true, https: certificate }, protocols: ['h2'] },
  'secure HTTP/2 that allows HTTP/1': {
    options: { http2: true, https: { ...certificate, allowHTTP1: true } },
    protocols: ['h2', 'https'],
  },
}

for (const [name, { options, protocols }] of Object.entries(servers)) {
  test(`${name} answers as on the oracle`, () =>
    assertSameOnConnections({
      options: { ...options, bodyLimit: 100, exposeHeadRoutes: true },
      build,
      async talk({ app, port, note }) {
        note(app.listeningOrigin, app.addresses().length)
        for (const protocol of protocols) {
          const client = openClient(protocol, port)
          const isHttp1 = protocol.startsWith('http')
          for (const question of isHttp1 ? [...questions, ...onlyHttp1] : questions) {
            const { status, headers, body, trailers } = await client.ask(question)
            const { date, connection, ...rest } = headers
            // After an error of the body, Fastify 4.21 keeps the connection open.
            if (status !== 400 && status !== 413) Object.assign(rest, { connection })
            note(protocol, question, typeof date, status, rest, body, trailers)
          }
          client.close()
        }
      },
    }))
}

const listen = (app: FastifyInstance) => app.listen({ port: 0, host: '127.0.0.1' })

test('trailers over HTTP/2', async () => {
  const app = framework({ http2: true }) as unknown as FastifyInstance
  build(app, () => {})
  const client = openClient('h2c', Number(new URL(await listen(app)).port))
  const { headers, body, trailers } = await client.ask({ method: 'GET', path: '/trailers' })
  assert.deepEqual([headers['trailer'], body], ['x-sum', 'with trailers'])
  assert.equal(trailers['x-sum'], 'with trailers!')
  client.close()
  await app.close()
})

test('over HTTP/2 a client can recognize an incomplete answer', async (t) => {
  const app = framework({ http2: true }) as unknown as FastifyInstance
  app.get('/', (_request, reply) => {
    async function* failing(): AsyncGenerator<string> {
      yield 'the first half'
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('no second half')
    }
    return reply.send(Readable.from(failing(), { objectMode: false }))
  })
  const session = connect(await listen(app))
  t.after(() => {
    // The application waits for its sessions.
    session.close()
    return app.close()
  })
  await assert.rejects(text(session.request({ ':path': '/' })), {
    code: 'ERR_HTTP2_STREAM_ERROR',
    message: /NGHTTP2_INTERNAL_ERROR/,
  })
})

test("over HTTP/2, large answers don't block other requests", async (t) => {
  const app = framework({ http2: true }) as unknown as FastifyInstance
  const length = 30_000_000
  app.get('/bytes', async () => Buffer.alloc(length))
  app.get('/text', async (_request, reply) =>
    reply.trailer('etag', async () => 'abc').send('x'.repeat(length)),
  )
  app.get('/small', async () => 'small')
  const session = connect(await listen(app))
  t.after(() => {
    session.destroy()
    return app.close()
  })
  const open = ['/bytes', '/text'].map((path) => session.request({ ':path': path }))
  await Promise.all(open.map((stream) => once(stream, 'response')))
  assert.equal(await text(session.request({ ':path': '/small' })), 'small')
  const received = await Promise.all(open.map(text))
  const lengths = received.map((one) => one.length)
  assert.deepEqual(lengths, [length, length])
})

test('a client that does not speak the protocol of the server', async () => {
  for (const { options } of Object.values(servers)) {
    await assertSameOnConnections({
      options,
      build,
      async talk({ port, note }) {
        const lines = ['GET /buffer HTTP/1.1', 'Host: a.test', 'Connection: close', '', '']
        note(await exchange(port, ...lines))
        if (!('https' in options)) return
        const wire = new Wire(port, true)
        wire.write(...lines)
        note(await wire.end())
      },
    })
  }
})

test('requests over HTTP/2 that come while the application closes', async () => {
  for (const return503OnClosing of [true, false]) {
    await assertSameOnConnections({
      options: { http2: true, return503OnClosing, forceCloseConnections: false },
      build(app, note) {
        app.addHook('preClose', async () => {
          note('preClose')
          await once(app.server, 'go on')
        })
        app.get('/', async () => 'answer')
      },
      async talk({ app, port, note, noted }) {
        const client = openClient('h2c', port)
        await client.ask({ method: 'GET', path: '/' })
        const closed = app.close()
        await noted('preClose')
        const { status, body, headers } = await client.ask({ method: 'GET', path: '/' })
        note(status, body, headers['content-type'])
        app.server.emit('go on')
        client.close()
        await closed
      },
    })
  }
})
