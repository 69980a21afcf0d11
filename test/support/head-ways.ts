/** Usual and odd ways to write the head of an answer, by name. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Note, tryAll } from './differential.ts'

type Handler = (reply: FastifyReply, request: FastifyRequest, note: Note) => unknown

export const values: readonly string[] = [
  '',
  'plain',
  'a\tb',
  ' padded ',
  'Grüße',
  '漢字',
  'del\u007F',
  'a\r\nx-b: c',
  'a\nb',
  'a\0b',
]
export const odd: readonly unknown[] = [
  7,
  true,
  null,
  undefined,
  [],
  ['a'],
  ['a', 'b'],
  ['a', 'b\r\nc'],
  {},
]
export const names: readonly string[] = [
  'x-a',
  'set-cookie',
  'content-disposition',
  'etag',
  'a b',
  'x-ü',
  'X-Upper',
]
export const ofNode: readonly (readonly [string, string])[] = [
  ['connection', 'close'],
  ['connection', 'keep-alive'],
  ['keep-alive', 'timeout=1'],
  ['transfer-encoding', 'chunked'],
  ['transfer-encoding', 'identity'],
  ['date', 'some day'],
  ['expect', 'nothing'],
  ['trailer', 'etag'],
  ['upgrade', 'h2c'],
  ['content-length', '4'],
  ['content-length', '40'],
  ...[' 4', '004', '+4', '4e0', '0x4', '1e1', '-0', '4,4'].map(
    (length) => ['content-length', length] as const,
  ),
  ['content-length', 'many'],
]

const store = new AsyncLocalStorage<string>()

/** Sends a text after something else was done. */
const textAfter =
  (act: Handler): Handler =>
  (reply, request, note) => {
    act(reply, request, note)
    return reply.send('text')
  }

/** Sends a text after members of the response were set. */
const withRaw = (members: object): Handler => textAfter(({ raw }) => Object.assign(raw, members))

export const ways: Record<string, Handler> = {
  usual: (reply) => reply.header('x-a', 'plain').send({ some: 'object' }),
  text: () => 'text',
  empty: () => '',
  wide: () => 'Ünïcödé – 漢字 😀',
  large: () => 'large '.repeat(200_000),
  nothing: (reply) => reply.code(202).send(),
  'no body allowed': (reply) => reply.code(304).send('text'),
  'a trailer': (reply) => reply.trailer('etag', async () => 'abc').send('text'),
  corked: textAfter((reply) => reply.raw.cork()),
  'a connection that is corked': textAfter((_reply, { raw: { socket } }) => socket.cork()),
  'a head that is on its way already': textAfter((reply) => {
    const { raw } = reply
    const { writeHead } = raw
    raw.writeHead = ((...args: [number]) => {
      writeHead.apply(raw, args)
      raw.flushHeaders()
      return raw
    }) as typeof writeHead
  }),
  'a head that nobody writes': textAfter((reply) => {
    const { raw } = reply
    raw.writeHead = ((status: number) => {
      raw.statusCode = status
      return raw
    }) as typeof raw.writeHead
  }),
  'a response without its socket': textAfter((reply, { raw: { socket } }) => {
    reply.raw.detachSocket(socket)
    socket.end()
  }),
  'a send within the end': textAfter((reply, _request, note) => {
    reply.raw.once('prefinish', () => {
      try {
        reply.raw.write('more')
      } catch (error) {
        note((error as Error).message)
      }
    })
    reply.raw.on('error', (error) => note('error', error))
  }),
  bytes: () => Buffer.from('bytes'),
  'another value each time': (reply, { raw }) =>
    reply.header('etag', `"${(raw.socket as { port?: number }).port}"`).send('text'),
  'a header of Node': (reply) => {
    reply.raw.setHeader('x-raw', 'yes')
    return reply.header('x-a', 'plain').send('text')
  },
  'the same header of Node': textAfter((reply) => reply.raw.setHeader('Content-Type', 'text/html')),
  'a head that is out': (reply, _request, note) => {
    reply.raw.writeHead(200, { 'x-raw': 'yes' })
    reply.raw.statusMessage = undefined as unknown as string
    try {
      reply.send('text')
    } catch (error) {
      note((error as { code?: string }).code)
    }
    return reply.raw.end('mine')
  },
  'text that is not ASCII': () => 'Grüße',
  'hints before': textAfter((reply) =>
    reply.raw.writeEarlyHints({ link: '</a.css>; rel=preload' }),
  ),
  '100 Continue': textAfter((reply) => reply.raw.writeContinue()),
  'names that objects have': textAfter((reply) =>
    reply.header('__proto__', 'plain').header('constructor', 'plain').header('toString', 'plain'),
  ),
  'names that are numbers': (reply) =>
    reply.header('x-a', 'plain').header('7', 'plain').send('text'),
  'what is asynchronous': (reply, _request, note) =>
    store.run('inside', () => {
      for (const event of ['prefinish', 'finish', 'close'] as const)
        reply.raw.on(event, () => note(event, store.getStore()))
      void reply.send('text')
      return reply
    }),
  'what comes too late': (reply, _request, note) => {
    const { raw } = reply
    void reply.send('text')
    raw.on('error', (error) => note('error', error))
    tryAll(note, [
      () => raw.setHeader('x-a', 'late'),
      () => raw.removeHeader('x-a'),
      () => raw.writeHead(500),
      () => raw.flushHeaders(),
      () => raw.write('late', (error) => note('written', error)),
      () => raw.end(() => note('ended')),
    ])
    return reply
  },
  'a middleware': (reply, _request, note) => {
    // As `on-headers` does.
    const { raw } = reply
    const { writeHead } = raw
    raw.writeHead = ((status: number, headers: object) => {
      note('writeHead', status, headers)
      raw.setHeader('x-middleware', 'yes')
      return writeHead.call(raw, status, headers as never)
    }) as typeof writeHead
    return reply.header('x-a', 'plain').send('text')
  },
}
for (const method of ['setHeader', 'write', 'end', 'emit', '_storeHeader', '_send'] as const) {
  ways[`a ${method} of its own`] = (reply, _request, note) => {
    const raw = reply.raw as unknown as Record<string, (...args: unknown[]) => unknown>
    const given = raw[method] as (...args: unknown[]) => unknown
    raw[method] = (...args) => {
      note(method, typeof args[0] === 'string' ? args[0] : '')
      return given.apply(raw, args)
    }
    return reply.send('text')
  }
}
for (const name of ['date', 'connection', 'content-length', 'transfer-encoding']) {
  ways[`${name} removed`] = textAfter((reply) => reply.raw.removeHeader(name))
}
/** Members of a response that are set before it is sent. */
const members: Readonly<Record<string, object>> = {
  'words of Node': { statusMessage: 'Fine' },
  'a status that is text': { statusCode: '404' },
  'no date': { sendDate: false },
  'the last on its connection': { shouldKeepAlive: false },
  'the last on its connection, by count': { maxRequestsOnConnectionReached: true },
  'no time that it is kept': { _defaultKeepAlive: false },
  'chunks with a length': { chunkedEncoding: true },
  'lengths that are checked': { strictContentLength: true },
  'no chunks': { useChunkedEncodingByDefault: false },
}
for (const [way, member] of Object.entries(members)) {
  ways[way] = withRaw(member)
}
// 1xx and 204 forbid content, which Fastify 4.21 sends.
for (const status of [200, 201, 205, 299, 304, 404, 418, 599, 600, 999, 1000, 0]) {
  ways[`status ${status}`] = withRaw({ statusCode: status })
}
for (const [index, [name, value]] of [
  ...ofNode,
  ...[...values, ...odd].map((each) => ['x-a', each] as const),
  ...names.map((each) => [each, 'plain'] as const),
].entries()) {
  ways[`header ${index}`] = (reply) => reply.header(name, value).send('text')
}

/** These answer nothing. */
export const lost: Readonly<Record<string, Handler>> = {
  'a response that is destroyed': textAfter((reply) => reply.raw.destroy()),
  'a socket that is destroyed': textAfter((_reply, { raw }) => raw.socket.destroy()),
  'a socket that is destroyed with an error': textAfter((_reply, { raw }) =>
    raw.socket.on('error', () => {}).destroy(new Error('gone')),
  ),
  'a socket that is ended': textAfter((_reply, { raw }) => raw.socket.end()),
}
