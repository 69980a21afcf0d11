/** How an answer goes out: its bytes, what is heard of it on `reply.raw`, and what that says of itself. */
import assert from 'node:assert/strict'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { assertSameOnConnections, Wire } from '../../support/connections.ts'
import type { Note } from '../../support/differential.ts'

type Handler = (reply: FastifyReply, request: FastifyRequest, note: Note) => unknown

const ways: Readonly<Record<string, Handler>> = {
  text: () => 'text',
  empty: () => '',
  object: () => ({ some: 'object' }),
  wide: () => 'Ünïcödé – 漢字 😀',
  'a head that is not ASCII': (reply) => reply.header('x-name', 'Grüße').send('Grüße'),
  bytes: () => Buffer.from('bytes'),
  large: () => 'large '.repeat(200_000),
  nothing: (reply) => reply.code(202).send(),
  'no body allowed': (reply) => reply.code(304).send('text'),
  'a length of its own': (reply) => reply.header('content-length', '4').send('text'),
  chunked: (reply) => reply.header('transfer-encoding', 'chunked').send('text'),
  'a trailer': (reply) => reply.trailer('etag', async () => 'abc').send('text'),
  'lengths that are checked': (reply) => {
    ;(reply.raw as { strictContentLength?: boolean }).strictContentLength = true
    return reply.send('text')
  },
  'the last on its connection': (reply) => {
    reply.raw.shouldKeepAlive = false
    return reply.send('text')
  },
  'a header and words of Node': (reply) => {
    reply.raw.setHeader('x-raw', 'yes')
    reply.raw.statusMessage = 'Fine'
    return reply.send('text')
  },
  corked: (reply) => {
    reply.raw.cork()
    return reply.send('text')
  },
  'a connection that is corked': (reply, { raw: { socket } }) => {
    socket.cork()
    return reply.send('text')
  },
  'a head that is on its way already': (reply) => {
    const { raw } = reply
    const { writeHead } = raw
    raw.writeHead = ((...args: [number]) => {
      writeHead.apply(raw, args)
      raw.flushHeaders()
      return raw
    }) as typeof writeHead
    return reply.send('text')
  },
  'a head that nobody writes': (reply) => {
    const { raw } = reply
    raw.writeHead = ((status: number) => {
      raw.statusCode = status
      return raw
    }) as typeof raw.writeHead
    return reply.send('text')
  },
  'a response without its socket': (reply, { raw: { socket } }) => {
    reply.raw.detachSocket(socket)
    socket.end()
    return reply.send('text')
  },
  'an end of its own': (reply, _request, note) => {
    const { raw } = reply
    const { end } = raw
    raw.end = ((...args: [string, 'utf8']) => {
      note('end')
      return end.apply(raw, args)
    }) as typeof end
    return reply.send('text')
  },
  'a send within the end': (reply, _request, note) => {
    reply.raw.once('prefinish', () => {
      try {
        reply.raw.write('more')
      } catch (error) {
        note((error as Error).message)
      }
    })
    reply.raw.on('error', (error) => note('error', error))
    return reply.send('text')
  },
}

/** These answer nothing. */
const lost: Readonly<Record<string, Handler>> = {
  'a response that is destroyed': (reply) => {
    reply.raw.destroy()
    return reply.send('text')
  },
  'a socket that is destroyed': (reply, { raw }) => {
    raw.socket.destroy()
    return reply.send('text')
  },
  'a socket that is destroyed with an error': (reply, { raw }) => {
    raw.socket.on('error', () => {}).destroy(new Error('gone'))
    return reply.send('text')
  },
  'a socket that is ended': (reply, { raw }) => {
    raw.socket.end()
    return reply.send('text')
  },
}

const pathOf = (way: string): string => `/${way.replaceAll(' ', '-')}`

function watch(reply: FastifyReply, note: Note, way: string): void {
  const { raw } = reply
  const state = (when: string): void =>
    note(way, when, raw.headersSent, raw.finished, raw.writableEnded, raw.writableFinished)
  for (const event of ['prefinish', 'finish', 'close'] as const) raw.on(event, () => state(event))
  raw.on('error', (error) => note(way, error))
  state('before')
  setImmediate(state, 'later')
}

for (const logged of [false, true]) {
  test(`answers on the wire, and what is heard of them${logged ? ', with a log' : ''}`, () =>
    assertSameOnConnections({
      ...(logged && { options: { logger: { level: 'silent' } } }),
      build(app, note) {
        for (const [way, handle] of Object.entries({ ...ways, ...lost })) {
          app.get(pathOf(way), async (request, reply) => {
            watch(reply, note, way)
            return handle(reply, request, note)
          })
        }
        app.addHook('onResponse', async ({ url }) => note('response', url))
        app.get('/end', async () => 'that was all')
      },
      async talk({ port, note, heard }) {
        for (const way of Object.keys(ways)) {
          for (const method of ['GET', 'HEAD']) {
            const wire = new Wire(port)
            wire.write(`${method} ${pathOf(way)} HTTP/1.1`, 'Host: a.test', '', '')
            wire.write('GET /end HTTP/1.1', 'Host: a.test', 'Connection: close', '', '')
            note(way, method, await wire.end())
          }
        }
        for (const way of Object.keys(lost)) {
          const wire = new Wire(port)
          wire.get(pathOf(way))
          note(way, await wire.end())
          await heard(`${way} later`)
          await heard(`${way} close`)
        }
      },
    }))
}

test('requests that are all there before the first answer, and older ones', () =>
  assertSameOnConnections({
    build(app, note) {
      app.get('/:time', async (request, reply) => {
        const { time } = request.params as { time: string }
        reply.raw.on('finish', () => note('finish', time))
        await new Promise((resolve) => setTimeout(resolve, Number(time)))
        return `after ${time}`
      })
    },
    async talk({ port, note }) {
      const wire = new Wire(port)
      for (const time of [20, 1, 10, 0]) wire.get(`/${time}`)
      wire.get('/5', 'Connection: close')
      note(await wire.end())
      const older = new Wire(port)
      older.write('GET /1 HTTP/1.0', 'Host: a.test', '', '')
      note(await older.end())
    },
  }))

test('an `end` added to the class of responses is called for each answer', async () => {
  const prototype = ServerResponse.prototype
  const own = Object.getOwnPropertyDescriptor(prototype, 'end')
  assert.equal(own, undefined)
  let heard = 0
  const { end } = prototype
  const patch = (): void => {
    prototype.end = function (this: ServerResponse<IncomingMessage>, ...args: [string, 'utf8']) {
      heard += 1
      return end.apply(this, args)
    } as typeof end
  }
  const restore = (): void => void Reflect.deleteProperty(prototype, 'end')
  for (const when of ['before', 'after']) {
    await assertSameOnConnections({
      build(app) {
        if (when === 'before') patch()
        app.get('/', () => Promise.resolve(when))
      },
      async talk({ port, note }) {
        if (when === 'after') patch()
        const wire = new Wire(port)
        wire.get('/', 'Connection: close')
        note(await wire.end())
        restore()
      },
    })
  }
  assert.equal(heard, 4)
})
