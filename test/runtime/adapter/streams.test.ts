/** Sending streams: their bytes, chunk by chunk, at any pace and with any end. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyReply, FastifyRequest } from 'fastify'
import framework from 'framework'
import { assertSameOnConnections } from '../../support/connections.ts'
import { exchange, getRaw, Wire } from '../../support/wire.ts'
import type { Note } from '../../support/differential.ts'
import { runs } from '../../support/runs.ts'

type Handler = (reply: FastifyReply, request: FastifyRequest, note: Note) => unknown

/** The next step of a stream. The one before it was read. */
type Step = { readonly size: number } | { readonly wait: Wait } | { readonly end: End }
type Wait = 'tick' | 'microtask' | 'turn'
type End = 'whole' | 'error' | 'destroyed' | 'response' | 'socket'

const waits: Readonly<Record<Wait, (callback: () => void) => void>> = {
  tick: (callback) => process.nextTick(callback),
  microtask: queueMicrotask,
  turn: setImmediate,
}

/** Creates a stream that takes the steps one after the other. */
function streamOf(steps: readonly Step[], { raw }: FastifyReply): Readable {
  let index = 0
  const next = (): void => {
    const step = steps[index++] ?? { end: 'whole' }
    if ('size' in step) stream.push('x'.repeat(step.size))
    else if ('wait' in step) waits[step.wait](next)
    else if (step.end === 'whole') stream.push(null)
    else if (step.end === 'response') raw.destroy()
    else if (step.end === 'socket') raw.socket?.destroy()
    else stream.destroy(step.end === 'error' ? new Error('broken') : undefined)
  }
  const stream = new Readable({ read: next })
  return stream
}

const part: Step = { size: 10 }
const ways: Readonly<Record<string, Handler>> = {
  'all at once': (reply) => reply.send(streamOf([part, part, part], reply)),
  'all at once, later': (reply) => {
    const stream = new Readable({
      read() {
        process.nextTick(() => ['one', 'two', null].forEach((each) => stream.push(each)))
        stream._read = () => {}
      },
    })
    return reply.send(stream)
  },
  'an error while the socket is full': (reply) =>
    reply.send(
      streamOf(
        [part, { size: 100_000 }, { wait: 'tick' }, { wait: 'tick' }, part, { end: 'error' }],
        reply,
      ),
    ),
  nothing: (reply) => reply.send(streamOf([], reply)),
  'more than a socket takes at once': (reply) =>
    reply.send(streamOf([{ size: 200_000 }, part, { size: 200_000 }], reply)),
  'a length of its own': (reply) =>
    reply.header('content-length', '20').send(streamOf([part, part], reply)),
  'an iterator': (reply) => reply.send(Readable.from(['one', 'two'])),
  objects: (reply) => reply.send(Readable.from(['one', Buffer.from('two')], { objectMode: true })),
  'through another': (reply) =>
    reply.send(streamOf([part, part], reply).pipe(new PassThrough({ highWaterMark: 5 }))),
  'somebody reads along': (reply, _request, note) =>
    reply.send(streamOf([part, part], reply).on('data', ({ length }) => note('read', length))),
  'a head that is out': (reply, { method }) => {
    // Fastify ends the process at this for HEAD.
    if (method === 'GET') reply.raw.writeHead(200, { 'x-a': 'b' })
    return reply.send(streamOf([part], reply))
  },
  'a response that is corked': (reply) => {
    reply.raw.cork()
    setImmediate(() => reply.raw.uncork())
    return reply.send(streamOf([part, part], reply))
  },
  'a socket that is corked at the end': (reply, { raw: { socket } }, note) => {
    reply.raw.on('prefinish', () => {
      socket.cork()
      process.nextTick(() => {
        note('corked', socket.writableCorked)
        socket.uncork()
      })
    })
    return reply.send(streamOf([part], reply))
  },
}

function watch({ raw }: FastifyReply, note: Note, way: string): void {
  for (const event of ['pipe', 'unpipe', 'prefinish', 'finish', 'close'] as const)
    raw.on(event, () => note(way, event, raw.headersSent, raw.writableEnded, raw.destroyed))
}

test('streams on the wire, and the events of their responses', () =>
  assertSameOnConnections({
    build(app, note) {
      for (const [index, handle] of Object.values(ways).entries()) {
        app.get(`/${index}`, (request, reply) => {
          watch(reply, note, `${index}`)
          handle(reply, request, note)
        })
      }
      app.get('/end', async () => 'that was all')
    },
    async talk({ port, note }) {
      for (const [index, way] of Object.keys(ways).entries()) {
        for (const line of ['GET', 'HEAD']) {
          const end = ['GET /end HTTP/1.1', 'Host: a.test', 'Connection: close', '', '']
          const lines = [`${line} /${index} HTTP/1.1`, 'Host: a.test', '', ...end]
          note(way, line, await exchange(port, ...lines))
        }
        note(way, 'older', await exchange(port, `GET /${index} HTTP/1.0`, 'Host: a.test', '', ''))
      }
    },
  }))

test('streams with any steps, complete or not', () => {
  const size = fc.oneof({ weight: 5, arbitrary: fc.constant(10) }, fc.constantFrom(20_000, 100_000))
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ size }) },
    { weight: 2, arbitrary: fc.record({ wait: fc.constantFrom('tick', 'microtask', 'turn') }) },
  )
  const end = fc.constantFrom<End>('whole', 'whole', 'error', 'error', 'destroyed')
  const steps = fc
    .tuple(fc.array(step, { maxLength: 5 }), end)
    .map(([before, last]): Step[] => [...before, { end: last }])
  const property = fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 20 }), (streams) =>
    assertSameOnConnections({
      build(app, note) {
        app.get('/:index', (request, reply) => {
          const { index } = request.params as { index: string }
          watch(reply, note, index)
          reply.send(streamOf(streams[Number(index)] as Step[], reply))
        })
      },
      async talk({ port, note }) {
        for (const index of streams.keys()) {
          note(index, await getRaw(port, `/${index}`))
        }
      },
    }),
  )
  return fc.assert(property, runs(10))
})

test('answers to requests that all arrive before the first of them is answered', () =>
  assertSameOnConnections({
    build(app, note) {
      app.get('/:count', (request, reply) => {
        const { count } = request.params as { count: string }
        reply.send(streamOf(Array(Number(count)).fill(part), reply))
      })
      app.get('/after/:time', async (request, reply) => {
        const { time } = request.params as { time: string }
        reply.raw.on('finish', () => note('finish', time))
        await new Promise((resolve) => setTimeout(resolve, Number(time)))
        return `after ${time}`
      })
    },
    async talk({ port, note }) {
      const wire = new Wire(port)
      for (const path of ['3', '0', 'after/20', 'after/1', '2', 'after/10', 'after/0', '1'])
        wire.get(`/${path}`)
      wire.get('/4', 'Connection: close')
      note(await wire.end())
    },
  }))

test("an answer that isn't a stream is one write on the socket", async () => {
  let writes = 0
  const app = framework()
  app.addHook('onRequest', async ({ raw: { socket } }) => {
    for (const method of ['_write', '_writev'] as const) {
      const given = socket[method] as (...args: unknown[]) => void
      socket[method] = (...args: unknown[]) => {
        writes += 1
        given.apply(socket, args)
      }
    }
  })
  app.get('/text', async () => 'text')
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  await getRaw(port, '/text')
  assert.equal(writes, 1)
  await app.close()
})

test('a stream whose client has disconnected is destroyed in the async context of its request', () =>
  assertSameOnConnections({
    build(app, note) {
      const context = new AsyncLocalStorage<string>()
      app.addHook('onRequest', (request, _reply, done) => context.run(request.url, done))
      app.get('/:end', (request, reply) => {
        const stream = new Readable({
          read() {},
          destroy(error, done) {
            note(request.url, context.getStore())
            done(error)
          },
        })
        stream.push('the first part')
        reply.send(stream)
        const { end } = request.params as { end: string }
        setTimeout(() => {
          if (end === 'socket') request.raw.socket.destroy()
          else if (end === 'response') reply.raw.destroy()
          else if (end === 'error') reply.raw.destroy(new Error('broken'))
          else reply.raw.end()
        }, 10)
      })
    },
    async talk({ port, note }) {
      for (const end of ['socket', 'response', 'error', 'end']) {
        const answer = await getRaw(port, `/${end}`)
        // The server may notice it after the client.
        await sleep(30)
        note(answer)
      }
    },
  }))

test('an error of a body is handled in the async context of its request, as on Fastify 5', () =>
  assertSameOnConnections({
    line: 5,
    build(app, note) {
      const context = new AsyncLocalStorage<string>()
      app.addHook('onRequest', (request, _reply, done) => context.run(request.url, done))
      app.setErrorHandler(async ({ message }) => [message, note(message, context.getStore())])
      app.post('/', { bodyLimit: 1 << 20 }, async () => 'read')
    },
    async talk({ port, note }) {
      const head = ['POST / HTTP/1.1', 'host: a', 'content-type: application/json']
      const chunked = [...head, 'transfer-encoding: chunked', '', (2 << 20).toString(16)]
      note(await exchange(port, ...chunked, 'x'.repeat(2 << 20), '0', '', ''))
      note(await exchange(port, ...head, `content-length: ${2 << 20}`, '', ''))
    },
  }))
