import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSameOnConnections } from '../../support/connections.ts'
import { exchange, getRaw, Wire } from '../../support/wire.ts'

test('a client that disconnects while its request is served', async () => {
  for (const ending of ['callback', 'promise', 'error', 'throw', 'reject'] as const) {
    await assertSameOnConnections({
      build(app, note) {
        app.addHook('onRequestAbort', (request, done) => {
          note('abort', request.url, request.raw.aborted)
          if (ending === 'throw') throw new Error('thrown')
          done(ending === 'error' ? new Error('passed on') : undefined)
        })
        app.addHook('onRequestAbort', async (request) => {
          note('abort again', request.id)
          if (ending === 'reject') throw new Error('rejected')
        })
        app.addHook('onResponse', async () => note('response'))
        app.addHook('onRequest', async ({ url }) => note('request', url))
        app.register(async (child) => {
          child.addHook('onRequestAbort', async function (this: unknown, _request) {
            note('abort in the child', this === child)
          })
          child.route({
            method: 'GET',
            url: '/child',
            onRequestAbort: async ({ method }) => note('abort of the route', method),
            handler: () => new Promise(() => note('handler')),
          })
        })
        app.post('/body', (_request, reply) => void reply.send('never'))
      },
      async talk({ port, noted }) {
        const reader = new Wire(port)
        reader.get('/child')
        await noted('handler')
        reader.destroy()
        await noted(['throw', 'error'].includes(ending) ? 'abort' : 'abort again')
        const writer = new Wire(port)
        writer.write('POST /body HTTP/1.1', 'Host: a.test', 'Content-Type: text/plain')
        writer.write('', 'Content-Length: 100', '', 'half')
        await noted('request /body')
        writer.destroy()
        await noted('abort /body')
      },
    })
  }
})

test('a client that disconnects after its body was read', async () => {
  const seen: string[] = []
  const app = framework()
  let answer = (): void => {}
  app.addHook('onRequestAbort', async ({ url }) => void seen.push(`abort ${url}`))
  app.post('/:way', async (request, reply) => {
    request.signal.addEventListener('abort', () => seen.push(`signal ${request.url}`))
    await new Promise<void>((resolve) => {
      answer = resolve
      app.server.emit('arrived')
    })
    seen.push(`answered ${request.url} ${request.signal.aborted}`)
    return reply.send('answer')
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  for (const way of ['/stays', '/goes']) {
    const arrived = once(app.server, 'arrived')
    const wire = new Wire(Number(port))
    wire.write(`POST ${way} HTTP/1.1`, 'Host: a.test', 'Content-Type: text/plain')
    wire.write('', 'Content-Length: 4', '', 'body')
    await arrived
    if (way === '/goes') wire.destroy()
    await new Promise((resolve) => setTimeout(resolve, 30))
    answer()
    if (way === '/stays') await wire.until('answer')
    wire.destroy()
  }
  await app.close()
  assert.deepEqual(seen, [
    'answered /stays false',
    'abort /goes',
    'signal /goes',
    'answered /goes true',
  ])
})

/** Declares routes that read their signals late. Emits `arrived` and `read` on the server. Returns the signal of `/sent`. */
function readLate(app: ReturnType<typeof framework>): () => AbortSignal | undefined {
  app.all('/', async (request, reply) => {
    app.server.emit('arrived')
    await new Promise((resolve) => reply.raw.on('close', resolve))
    app.server.emit('read', request.signal.aborted)
    return 'nobody'
  })
  let late: AbortSignal | undefined
  app.addHook('onResponse', async (request) => {
    if (request.url === '/sent') ({ signal: late } = request)
  })
  app.get('/sent', async () => 'text')
  return () => late
}

test('a signal that is first read after the client has left', async (t) => {
  const app = framework()
  t.after(() => app.close())
  const late = readLate(app as never)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  for (const lines of [
    ['GET / HTTP/1.1', 'Host: a.test', '', ''],
    [
      'POST / HTTP/1.1',
      'Host: a.test',
      'Content-Type: text/plain',
      'Content-Length: 4',
      '',
      'body',
    ],
  ]) {
    const arrived = once(app.server, 'arrived')
    const read = once(app.server, 'read')
    const wire = new Wire(Number(port))
    wire.write(...lines)
    await arrived
    wire.destroy()
    assert.deepEqual(await read, [true], lines[0])
  }
  const wire = new Wire(Number(port))
  wire.get('/sent')
  await wire.until('text')
  wire.destroy()
  await app.close()
  assert.equal(late()?.aborted, false)
})

test('a signal that is first read after the client has cancelled a stream of HTTP/2', async (t) => {
  const app = framework({ http2: true })
  const late = readLate(app as never)
  const session = connect(await app.listen({ port: 0, host: '127.0.0.1' }))
  t.after(() => session.destroy())
  t.after(() => app.close())
  for (const method of ['GET', 'POST']) {
    const arrived = once(app.server, 'arrived')
    const read = once(app.server, 'read')
    const stream = session.request({
      ':path': '/',
      ':method': method,
      'content-type': 'text/plain',
    })
    stream.end(method === 'POST' ? 'body' : undefined)
    await arrived
    stream.close(constants.NGHTTP2_CANCEL)
    assert.deepEqual(await read, [true], method)
  }
  await once(session.request({ ':path': '/sent' }).resume(), 'end')
  await app.close()
  assert.equal(late()?.aborted, false)
})

test('connections that become idle while the application closes', { timeout: 20_000 }, async () => {
  const app = framework() as unknown as FastifyInstance
  let onArrival = (): void => {}
  const arrived = new Promise<void>((resolve) => (onArrival = resolve))
  app.get('/', (_request, reply) => {
    const stream = new PassThrough()
    stream.write('first')
    reply.send(stream)
    setTimeout(() => stream.end('last'), 50)
    onArrival()
  })
  const wire = new Wire(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port))
  wire.get('/')
  await arrived
  await wire.until('first')
  const closed = app.close()
  await closed
  assert.match(await wire.end(), /last/)
})

for (const line of [undefined, 5] as const) {
  test(`a handler that ends the connection and still answers, Fastify ${line ?? 4}`, () =>
    assertSameOnConnections({
      ...(line && { line }),
      build(app, note) {
        app.addHook('onResponse', async ({ url }) => note('over', url))
        for (const [url, payload] of Object.entries({
          '/text': 'text',
          '/object': {},
          '/none': '',
        })) {
          app.get(url, (request, reply) => {
            request.socket.destroy()
            reply.send(payload)
          })
        }
      },
      async talk({ port, note }) {
        for (const url of ['/text', '/object', '/none']) note(await getRaw(port, url))
      },
    }))

  test(`the onTimeout hooks and own listeners of a socket, Fastify ${line ?? 4}`, () =>
    assertSameOnConnections({
      ...(line && { line }),
      build(app, note) {
        app.addHook('onRequest', ({ socket, url }, _reply, done) => {
          socket.on('timeout', () => note('own listener', url))
          done()
        })
        app.addHook('onTimeout', async ({ url }) => note('onTimeout', url))
        // A real time limit could end before the handler starts.
        app.get('/now', ({ socket }) => void socket.emit('timeout'))
        app.get('/later', ({ socket }) => void setImmediate(() => socket.emit('timeout')))
      },
      async talk({ port, note }) {
        for (const url of ['/now', '/later']) note(await getRaw(port, url))
      },
    }))

  test(`hooks of a route that has called its 404 handler, Fastify ${line ?? 4}`, () =>
    assertSameOnConnections({
      ...(line && { line }),
      build(app, note) {
        app.setNotFoundHandler(({ socket }) => {
          socket.on('close', () => setImmediate(note, 'closed'))
          setImmediate(() => {
            socket.emit('timeout')
            socket.destroy()
          })
        })
        app.register(async (child) => {
          child.addHook('onTimeout', async function (this: unknown) {
            note('onTimeout', this === child)
          })
          child.addHook('onRequestAbort', async function (this: unknown, _request) {
            note('onRequestAbort', this === child)
          })
          child.get('/', (_request, reply) => {
            reply.callNotFound()
          })
        })
      },
      async talk({ port, noted }) {
        await getRaw(port, '/')
        await noted('closed')
      },
    }))
}

test('the connection is closed after an error of the body, even if that never ends', () =>
  assertSameOnConnections({
    oracle: fastify5,
    options: { bodyLimit: 10 },
    build(app) {
      app.setErrorHandler(({ statusCode = 500 }, _request, reply) => {
        reply.code(statusCode).send('an error')
      })
      app.post('/', async ({ body }) => ({ body }))
      app.addContentTypeParser('own/*', (_request, _payload, done) => done(new Error('own')))
      app.addContentTypeParser('own/async', async () => {
        throw new Error('async')
      })
      app.addContentTypeParser('own/string', { parseAs: 'string' }, (_request, _body, done) =>
        done(new Error('string')),
      )
    },
    async talk({ port, note }) {
      const chunks = ['Transfer-Encoding: chunked', '', '6', 'abcdef', '6', 'ghijkl', '']
      const whole = ['Transfer-Encoding: chunked', '', '3', '{"a', '0', '', '']
      for (const lines of [
        ['Content-Type: text/plain', ...chunks],
        ['Content-Type: text/plain', 'Content-Length: 11', '', 'x'],
        ['Content-Type: application/json', ...whole],
        ['Content-Type: application/json', 'Content-Length: 0', '', ''],
        ['Content-Type: own/async', ...chunks],
        ['Content-Type: own/string', ...whole],
      ]) {
        note(...lines, await exchange(port, 'POST / HTTP/1.1', 'Host: a.test', ...lines))
      }
    },
  }))

test('a body that is longer or shorter than its announced length', () =>
  assertSameOnConnections({
    options: { bodyLimit: 10 },
    build(app, note) {
      app.addHook('onError', async (_request, _reply, error) => note('error', error))
      app.post('/', async ({ body }) => ({ body }))
      app.post('/raw', (request, reply) => void reply.send(request.raw))
      app.addContentTypeParser('raw/*', (_request, payload, done) => done(null, payload))
      app.addContentTypeParser('raw/stream', (_request, _payload, done) => done(null))
    },
    async talk({ port, note }) {
      const post = async (...lines: string[]): Promise<string> => {
        const answer = await exchange(
          port,
          'POST / HTTP/1.1',
          'Host: a.test',
          'Connection: close',
          ...lines,
        )
        // Written by the application after an error of the body, by Node otherwise.
        return answer.replace(/connection: close\r\n/i, '')
      }
      note(await post('Content-Type: application/json', 'Content-Length: 2', '', '{}'))
      note(await post('Content-Type: application/json', 'Content-Length: 0', '', ''))
      note(await post('Content-Type: text/plain', 'Content-Length: 11', '', 'x'.repeat(11)))
      const chunks = ['6', 'abcdef', '6', 'ghijkl', '0', '', '']
      note(await post('Content-Type: text/plain', 'Transfer-Encoding: chunked', '', ...chunks))
      const less = ['3', 'abc', '0', '', '']
      note(await post('Content-Type: text/plain', 'Transfer-Encoding: chunked', '', ...less))
      note(await post('Content-Type: text/none', 'Content-Length: 1', '', 'x'))
      note(await post('Content-Length: 1', '', 'x'))
      note(await post('Content-Type: raw/stream', 'Content-Length: 1', '', 'x'))
    },
  }))
