/** Answers whose form shows only on a real connection: streams that break, trailers, what handlers write themselves. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { assertSameOnConnections, observeBoth, exchange, Wire } from '../../support/connections.ts'
import type { Note } from '../../support/differential.ts'
import { catchEscaped } from '../../support/lifecycle-run.ts'

type Answer = (reply: FastifyReply, note: Note) => unknown

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const never = (): Readable => new Readable({ read: () => {} })

/** A readable that ends in its own time, with an error or without. */
async function* parts(count: number, fails: boolean): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) {
    await soon()
    yield `part ${i} `
  }
  if (fails) throw Object.assign(new Error('broken'), { statusCode: 503, code: 'BROKEN' })
}

/** A stream from before there was `destroy`. */
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

  'hijack and end': (reply) => {
    reply.header('x-lost', '1').hijack()
    reply.raw.end('mine')
  },
  'hijack and throw': (reply) => {
    reply.hijack()
    setImmediate(() => reply.raw.end('mine'))
    throw new Error('nobody sees it')
  },
  'hijack and send': (reply) => {
    reply.hijack().send('lost')
    reply.raw.end('mine')
  },
  'hijack and await': async (reply, note) => {
    reply.hijack()
    setImmediate(() => reply.raw.end('mine'))
    await reply
    note('awaited', reply.sent)
  },
  'await the reply': async (reply, note) => {
    setImmediate(() => reply.send('later'))
    await reply
    note('awaited', reply.sent)
    return 'too late'
  },
  'sent is set': (reply) => {
    reply.sent = true
    reply.raw.end('mine')
  },
  'raw end, then return': async (reply) => {
    reply.raw.end('mine')
    return 'lost'
  },
  'raw status and headers': (reply) => {
    reply.raw.statusCode = 207
    reply.raw.setHeader('X-Raw', 'r')
    reply.raw.setHeader('x-both', 'raw')
    reply.header('X-Both', 'reply').send({ a: reply.getHeaders() })
  },
  'early hints': (reply) => {
    reply.raw.writeEarlyHints({ link: '</a.css>; rel=preload' })
    reply.send('after hints')
  },
  'bad status text': (reply) => {
    reply.raw.statusMessage = 'My Own'
    reply.send('a')
  },
  'wrong length': (reply) => reply.header('content-length', 3).send('longer'),
  'wrong length, nothing': (reply) => reply.header('content-length', 3).send(),
  'not modified': (reply) => reply.code(304).header('etag', '"1"').send(),
  'no content with content': (reply) => reply.code(204).send('a'),
  'reset content': (reply) => reply.code(205).send(),
  chunked: (reply) => reply.header('transfer-encoding', 'chunked').send('a'),

  trailers: (reply) => {
    reply.trailer('X-One', ((_reply: unknown, payload: unknown, done: Done) => {
      setImmediate(done, null, `of ${payload}`)
    }) as never)
    reply.trailer('x-two', (async () => 'two') as never)
    reply.trailer('x-gone', (async () => 'gone') as never).removeTrailer('X-Gone')
    reply.send(`${reply.hasTrailer('x-one')} ${reply.hasTrailer('X-GONE')}`)
  },
  'trailers of a stream': (reply) => {
    reply.trailer('x-one', (async () => 'one') as never)
    reply.send(Readable.from(parts(2, false)))
  },
  'trailers that fail': (reply) => {
    reply.trailer('x-one', ((_reply: unknown, _payload: unknown, done: Done) => {
      done(new Error('x'))
    }) as never)
    reply.trailer('x-two', (async () => Promise.reject(new Error('y'))) as never)
    reply.trailer('x-three', (async () => 'three') as never)
    reply.send({ a: 1 })
  },
  'trailers of nothing': (reply) => {
    reply.trailer('x-one', (async () => 'one') as never)
    reply.send()
  },
  'trailers that are all removed': (reply) => {
    reply.trailer('x-one', (async () => 'one') as never).removeTrailer('x-one')
    reply.send('a')
  },
}

/** Mistakes that nobody is there to be told of: the process is, as on the oracle. */
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

for (const [name, answer] of Object.entries(answers)) {
  test(`${name}: the same bytes as on the oracle`, () =>
    assertSameOnConnections({
      build: build(answer),
      async talk({ port, note }) {
        for (const line of ['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'GET / HTTP/1.0']) {
          note(line, await exchange(port, line, 'Host: a.test', 'Connection: close', '', ''))
        }
      },
    }))
}

for (const [name, answer] of Object.entries(mistakes)) {
  test(`${name}: the same bytes as on the oracle, and an answer where that ends its process or connection`, async (t) => {
    const escaped = catchEscaped()
    t.after(() => escaped.restore())
    const { expected, actual } = await observeBoth({
      build(app, note) {
        escaped.log = note
        build(answer)(app, note)
      },
      async talk({ port, note, heard }) {
        const wire = new Wire(port)
        wire.get('/', 'Connection: close')
        await Promise.race([wire.end(), heard('escaped')])
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

function isEscape(line: string): boolean {
  return line.startsWith('escaped')
}

test('a client that goes while it gets a stream', () =>
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
    async talk({ port, heard }) {
      const wire = new Wire(port)
      wire.get('/')
      await wire.until('xxx')
      wire.destroy()
      await heard('destroyed')
      await heard('onRequestAbort')
    },
  }))
