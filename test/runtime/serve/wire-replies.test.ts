/** Answers whose form shows only on a real connection: streams that break, trailers, answers that handlers write themselves. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework from 'framework'
import { assertSameOnConnections, observeBoth, type Talk } from '../../support/connections.ts'
import { exchange, Wire } from '../../support/wire.ts'
import type { Note } from '../../support/differential.ts'
import { catchEscaped } from '../../support/lifecycle-run.ts'

type Answer = (reply: FastifyReply, note: Note) => unknown

const withTrailer = (reply: FastifyReply): FastifyReply =>
  reply.trailer('x-one', (async () => 'one') as never)

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const never = (): Readable => new Readable({ read: () => {} })

/** A readable that ends later, with an error or without. */
async function* parts(count: number, fails: boolean): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) {
    await soon()
    yield `part ${i} `
  }
  if (fails) throw Object.assign(new Error('broken'), { statusCode: 503, code: 'BROKEN' })
}

/** A stream of a release before `destroy` existed. */
function oldStream(end: 'close' | 'abort' | 'nothing'): EventEmitter {
  const stream = new EventEmitter()
  const ends = end === 'nothing' ? {} : { [end]: () => stream.emit('close') }
  return Object.assign(stream, ends, {
    readable: true,
    pipe(to: NodeJS.WritableStream) {
      to.write('old')
      stream.emit('end')
      to.end()
    },
  })
}

const answers: Record<string, Answer> = {
  'reset content': (reply) => reply.code(205).send(),
  'reset content with content': (reply) => reply.code(205).type('a/b').send('a'),
  'reset content with a stream': (reply) => reply.code(205).send(Readable.from(['a', 'b'])),
  stream: (reply) => reply.send(Readable.from(parts(3, false))),
  'stream with a length': (reply) =>
    reply.header('content-length', 14).send(Readable.from(parts(2, false))),
  'stream from an async handler': async () => Readable.from(parts(2, false)),
  'stream that breaks at once': (reply) => reply.send(Readable.from(parts(0, true))),
  'stream that breaks later': (reply) => reply.send(Readable.from(parts(2, true))),
  'stream that has ended': async (reply) => {
    const stream = Readable.from([])
    stream.resume()
    await soon()
    await soon()
    return reply.send(stream)
  },
  'stream that is destroyed': (reply) => reply.send(never().destroy()),
  'stream and a type': (reply) =>
    reply
      .type('text/x')
      .code(202)
      .send(Readable.from(['a'])),
  'old stream': (reply) => reply.send(oldStream('nothing')),
  'old stream with close': (reply) => reply.send(oldStream('close')),
  'old stream with abort': (reply) => reply.send(oldStream('abort')),
  'duplex stream': (reply) => {
    const through = new PassThrough()
    reply.send(through)
    through.write('a')
    setImmediate(() => through.end('b'))
  },

  'wrong length': (reply) => reply.header('content-length', 3).send('longer'),
  'wrong length, nothing': (reply) => reply.header('content-length', 3).send(),
  'not modified': (reply) => reply.code(304).header('etag', '"1"').send(),
  chunked: (reply) => reply.header('transfer-encoding', 'chunked').send('a'),

  trailers: (reply) => {
    reply.trailer('X-One', ((_reply: unknown, payload: unknown, done: Done) => {
      setImmediate(done, null, `of ${payload}`)
    }) as never)
    reply.trailer('x-two', (async () => 'two') as never)
    reply.trailer('x-gone', (async () => 'gone') as never).removeTrailer('X-Gone')
    reply.send(`${reply.hasTrailer('x-one')} ${reply.hasTrailer('X-GONE')}`)
  },
  'trailers that fail': (reply) => {
    reply.trailer('x-one', ((_reply: unknown, _payload: unknown, done: Done) => {
      done(new Error('x'))
    }) as never)
    reply.trailer('x-two', (async () => Promise.reject(new Error('y'))) as never)
    reply.trailer('x-three', (async () => 'three') as never)
    reply.send({ a: 1 })
  },
  'trailers of nothing': (reply) => void withTrailer(reply).send(),
}

/** A web stream whose next parts are known. */
function webStream(parts: readonly unknown[], error?: Error): ReadableStream {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      if (next < parts.length) controller.enqueue(parts[next++])
      else if (error !== undefined) controller.error(error)
      else controller.close()
    },
  })
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Answers that Fastify 4.21 gets wrong. */
const laterAnswers: Record<string, Answer> = {
  'no content with content': (reply) => reply.code(204).send('a'),
  'no content with the length 0': (reply) => reply.code(204).header('content-length', 0).send(),
  'no content with an object': async (reply) => reply.code(204).send({ a: 1 }),
  'no content with bytes': (reply) => reply.code(204).type('a/b').send(Buffer.from('a')),
  'no content with a stream': (reply) => reply.code(204).send(Readable.from(parts(3, false))),
  'reset content with a web stream': (reply) => reply.code(205).send(webStream([bytes('one')])),
  'web stream': (reply) => reply.send(webStream([bytes('one '), 'two'])),
  'web stream from an async handler': async (reply) => {
    reply.type('text/x').code(202)
    return webStream([bytes('one')])
  },
  'web stream with a length': (reply) =>
    reply.header('content-length', 3).send(webStream([bytes('one')])),
  'web stream of nothing': (reply) => reply.send(webStream([])),
  'web stream that breaks at once': (reply) => reply.send(webStream([], new Error('broken'))),
  'web stream with trailers': (reply) => void withTrailer(reply).send(webStream([bytes('one')])),
  // Fastify 4.21 ends the response before them.
  'trailers of a stream': (reply) => void withTrailer(reply).send(Readable.from(parts(2, false))),
  'locked web stream': async () => {
    const stream = webStream([])
    stream.getReader()
    return stream
  },
  'web response': async (reply) => {
    reply.code(418).header('x-both', 'reply')
    const headers = [
      ['x-both', 'response'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ] as [string, string][]
    return new Response('text', { status: 201, headers })
  },
  'web response without a body': async () => new Response(null, { status: 204 }),
  'web response that was read': async () => {
    const response = new Response('text')
    await response.text()
    return response
  },
}

/** Answers that Fastify 5 gets wrong as well, and the answers that they must equal. */
const sameAnswers: Record<string, readonly [Answer, Answer]> = {
  'web stream of other values than text and bytes': [
    (reply) => reply.send(webStream([null])),
    (reply) => reply.send(Readable.from([{}])),
  ],
  'no content with a length': [
    (reply) => reply.code(204).header('content-length', 3).send(),
    (reply) => reply.code(204).send(),
  ],
  'no content with trailers': [
    (reply) => void withTrailer(reply).code(204).send('text'),
    (reply) => reply.code(204).send('text'),
  ],
  'nothing after a hook': [
    (reply) => reply.header('x-nothing', 'yes').send('text'),
    (reply) =>
      reply.header('x-nothing', 'yes').header('content-type', 'text/plain; charset=utf-8').send(),
  ],
}

/** Mistakes that nothing can handle: the process gets them, as on the oracle. */
const mistakes: Record<string, Answer> = {
  'stream that is destroyed with an error': (reply) => reply.send(never().destroy(new Error('x'))),
  'stream after writeHead': (reply) => {
    reply.raw.writeHead(203, { 'x-own': '1' })
    reply.send(Readable.from(['a']))
  },
  'stream of objects': (reply) => reply.send(Readable.from([{ a: 1 }])),
  'raw write, then send': (reply) => {
    reply.raw.write('head is out')
    reply.send('lost')
  },
  'bad header': (reply) => reply.header('x-bad', 'a\nb').send('a'),
}

type Done = (error: unknown, value?: string) => void

const build =
  (answer: Answer) =>
  (app: FastifyInstance, note: Note): void => {
    app.addHook('onSend', async (_request, _reply, payload) => {
      note('onSend', typeof payload === 'string' ? payload : typeof payload)
    })
    app.addHook('onError', async (_request, _reply, error) => note('onError', error))
    app.addHook('onResponse', async (request, reply) => {
      note('onResponse', request.raw.httpVersion, reply.statusCode, reply.sent)
    })
    app.get('/', { exposeHeadRoute: true }, (_request, reply) => answer(reply, note) as never)
  }

const lines = ['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'GET / HTTP/1.0']
const ask = (port: number, line = ''): Promise<string> =>
  exchange(port, line, 'Host: a.test', 'Connection: close', '', '')

for (const [oracle, ofOracle] of [
  [fastify, answers],
  [fastify5, laterAnswers],
] as const) {
  for (const [name, answer] of Object.entries(ofOracle)) {
    // For HEAD, Fastify 5 forgets the status of a `Response`, and the rule for 204.
    const isWrong = /^web response|^no content|^locked/.test(name)
    const requests = lines.filter((line) => !isWrong || !line.startsWith('HEAD'))
    test(`${name}: the same bytes as on the oracle`, () =>
      assertSameOnConnections({
        oracle,
        build: build(answer),
        async talk({ port, note }) {
          for (const line of requests) note(line, withOneChunk(await ask(port, line)))
        },
      }))
  }
}

/** Joins two chunks of a web stream. On Fastify, releases of Node differ in how they split it. */
function withOneChunk(answer: string): string {
  return answer.replace('\r\n4\r\none \r\n3\r\ntwo\r\n', '\r\n7\r\none two\r\n')
}

for (const [name, both] of Object.entries(sameAnswers)) {
  test(`${name}: the same bytes as a correct answer`, async () => {
    const [actual, expected] = await Promise.all(both.map(bytesOf))
    assert.deepEqual(actual, expected)
  })
}

test('HEAD has status and headers of GET', async () => {
  for (const [name, answer] of Object.entries(laterAnswers)) {
    const [get = '', head = ''] = await bytesOf(answer)
    const headOf = (text: string): string =>
      text
        .slice(0, text.indexOf('\r\n\r\n'))
        .replace(/\r\n(?:Transfer-Encoding: chunked|Content-Length: 0)/i, '')
    // HEAD doesn't read a stream to find out that it breaks.
    if (!name.includes('breaks')) assert.equal(headOf(head), headOf(get), name)
  }
})

/** Returns the bytes that clients get of our answer. */
async function bytesOf(answer: Answer): Promise<string[]> {
  const app = framework() as unknown as FastifyInstance
  app.addHook('onSend', async (_request, reply, payload) => {
    return reply.hasHeader('x-nothing') ? null : payload
  })
  build(answer)(app, () => {})
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const received: string[] = []
  for (const line of lines)
    received.push((await ask(Number(port), line)).replace(/(date: )[^\r]*/i, '$1DATE'))
  await app.close()
  return received
}

const isEscape = (line: string): boolean => line.startsWith('escaped')

for (const [name, answer] of Object.entries(mistakes)) {
  test(`${name}: the same bytes as on the oracle, and an answer where that ends its process or connection`, async (t) => {
    const escaped = catchEscaped(t)
    const { expected, actual } = await observeBoth({
      build(app, note) {
        escaped.log = note
        build(answer)(app, note)
      },
      async talk({ port, note, noted }) {
        const wire = new Wire(port)
        wire.get('/', 'Connection: close')
        await Promise.race([wire.end(), noted('escaped')])
        note(wire.received)
        wire.destroy()
      },
    })
    // From Node 24 on, a stream of objects ends the connection instead.
    const isAnswered = !expected.some(isEscape) && expected.at(-1) !== ''
    if (isAnswered) assert.deepEqual(actual, expected)
    else assert.ok(!actual.some(isEscape) && actual.at(-1)?.startsWith('HTTP/1.1 '))
  })
}

/** Disconnects during the answer, and returns what is noted afterwards. */
async function leave({ port, noted }: Talk, ...notes: readonly string[]): Promise<void> {
  const wire = new Wire(port)
  wire.get('/')
  await wire.until('xxx')
  wire.destroy()
  await Promise.all(notes.map(noted))
}

test('a client that disconnects while it gets a web stream', () =>
  assertSameOnConnections({
    oracle: fastify5,
    build(app, note) {
      app.get('/', async () => {
        let count = 0
        return new ReadableStream({
          async pull(controller) {
            await soon()
            if (count++ < 10) controller.enqueue(bytes('x'.repeat(1000)))
            else await new Promise(() => {})
          },
          cancel: () => note('cancelled'),
        })
      })
    },
    talk: (talk) => leave(talk, 'cancelled'),
  }))

test('a web stream is read when the chunks before are written, and not after the response ended', () =>
  assertSameOnConnections({
    oracle: fastify5,
    build(app, note) {
      app.get('/', (_request, reply) => {
        const { raw } = reply
        const write = raw.write.bind(raw)
        let writes = 0
        raw.write = (chunk: unknown) => {
          write(chunk)
          note('write')
          queueMicrotask(() => {
            if (++writes === 2) raw.destroy()
            raw.emit('drain')
          })
          return false
        }
        const source = {
          pull(controller: ReadableStreamDefaultController) {
            note('pull')
            controller.enqueue('x')
          },
          cancel: (reason: unknown) => note('cancelled', reason),
        }
        return reply.send(new ReadableStream(source, { highWaterMark: 0 }))
      })
    },
    async talk({ port, noted }) {
      const wire = new Wire(port)
      wire.get('/')
      await noted('cancelled')
    },
  }))

test('a client that disconnects while it gets a stream', () =>
  assertSameOnConnections({
    build(app, note) {
      app.addHook('onRequestAbort', async (_request) => note('onRequestAbort'))
      app.get('/', (_request, reply) => {
        const stream = new Readable({
          read() {
            setImmediate(() => this.push('x'.repeat(1000)))
          },
          destroy(error, done) {
            note('destroyed', error)
            done(error)
          },
        })
        reply.send(stream)
      })
    },
    talk: (talk) => leave(talk, 'destroyed', 'onRequestAbort'),
  }))
