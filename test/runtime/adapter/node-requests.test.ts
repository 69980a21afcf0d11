/** Requests that are used as streams, at any moment: as with `useNodeInternals: false`. */
import assert from 'node:assert/strict'
import http, { type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import framework from 'framework'
import { createIncomingClass } from '../../../runtime/adapter/node-internals/incoming.ts'

type Log = (...what: readonly unknown[]) => void

function logEvents(raw: IncomingMessage, log: Log, ...names: readonly string[]): void {
  for (const name of names) raw.on(name, (value: unknown) => log(name, textOf(value)))
}

function textOf(value: unknown): unknown {
  return Buffer.isBuffer(value) ? value.toString() : value instanceof Error ? value.message : value
}

const uses: Readonly<Record<string, (raw: IncomingMessage, log: Log) => unknown>> = {
  'all events': (raw, log) => logEvents(raw, log, 'data', 'end', 'close', 'aborted', 'error'),
  close: (raw, log) => logEvents(raw, log, 'close'),
  once: (raw, log) =>
    raw.once('end', () => log('end')).prependOnceListener('close', () => log('close')),
  readable: (raw, log) => {
    raw.on('readable', () => {
      const chunk: unknown = raw.read()
      if (chunk !== null) log(textOf(chunk))
    })
    logEvents(raw, log, 'end')
  },
  pipe: (raw, log) => raw.pipe(new PassThrough()).on('data', (chunk: Buffer) => log(`${chunk}`)),
  finished: (raw, log) =>
    finished(raw).then(
      () => log('finished'),
      (error: Error) => log(error.message),
    ),
  iterator: (raw, log) =>
    raw
      .forEach((chunk: unknown) => log(textOf(chunk)))
      .then(
        () => log('over'),
        (error: Error) => log(error.message),
      ),
  'pause and resume': (raw, log) => {
    raw.pause()
    log(raw.isPaused())
    setImmediate(() => raw.resume())
    logEvents(raw, log, 'end', 'close')
  },
  resume: (raw) => raw.resume(),
  read: (raw, log) => log(textOf(raw.read())),
  encoding: (raw) => raw.setEncoding('latin1'),
  unshift: (raw, log) => {
    logEvents(raw, log, 'data', 'error')
    raw.unshift('"')
  },
  push: (raw) => raw.push('12', 'latin1'),
  destroy: (raw, log) => {
    logEvents(raw, log, 'close', 'aborted', 'error')
    raw.destroy()
  },
  'destroy with an error': (raw) => raw.destroy(new Error('on purpose')),
  'emit is replaced': (raw, log) => {
    const { emit } = raw
    raw.emit = (name: string, ...args: unknown[]) => {
      if (name !== 'data' && name !== 'readable') log(name)
      return emit.call(raw, name, ...args)
    }
  },
}
const moments = ['onRequest', 'during', 'preHandler', 'handler', 'onResponse', 'later'] as const
const bodies: Readonly<Record<string, readonly string[]>> = {
  'a body': ['"ab', 'cd"'],
  'no body': [],
  'a body that is cut off': ['"ab', ''],
  'a body that is too long': ['"'.repeat(30), '"'.repeat(30)],
}

/** Sends a request, in two parts, and returns what happened. */
async function observe(
  useNodeInternals: boolean,
  parts: readonly string[],
  use: (raw: IncomingMessage, log: Log) => unknown,
  at: (typeof moments)[number],
): Promise<readonly unknown[]> {
  const events: unknown[] = []
  const log: Log = (...what) => events.push(what)
  const app = framework({ useNodeInternals, bodyLimit: 40, forceCloseConnections: true })
  const raws: IncomingMessage[] = []
  app.addHook('onRequest', (request, _reply, done) => {
    raws.push(request.raw)
    if (at === 'onRequest') use(request.raw, log)
    done()
    // The application lies about the length.
    if (parts[0]?.length === 30) request.headers['content-length'] = '60'
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (parts[0]?.length === 30) request.raw.headers['content-length'] = '6'
    done(null, payload)
  })
  if (at === 'preHandler') {
    app.addHook('preHandler', (request, _reply, done) => {
      process.nextTick(() => {
        use(request.raw, log)
        void Promise.resolve().then(() => done())
      })
    })
  }
  app.addHook('onResponse', (request, _reply, done) => {
    if (at === 'onResponse') use(request.raw, log)
    done()
  })
  app.all('/', (request, reply) => {
    const { complete, readableEnded, readableDidRead, destroyed, aborted } = request.raw
    log(request.body, complete, readableEnded, readableDidRead, destroyed, aborted)
    if (at === 'handler') use(request.raw, log)
    reply.send('answer')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  socket.on('error', () => {})
  const [first = '', rest] = parts
  const length = first.length + (rest === '' ? 4 : (rest ?? '').length)
  const head =
    parts.length === 0
      ? 'GET / HTTP/1.1'
      : `POST / HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: ${length}`
  socket.write(`${head}\r\nhost: test\r\n\r\n`)
  while (raws.length === 0) await delay(1)
  socket.write(first)
  const { socket: connection } = raws[0] as IncomingMessage
  while (!connection.destroyed && connection.bytesRead < head.length + 16 + first.length)
    await delay(1)
  await delay(1)
  if (at === 'during') use(raws[0] as IncomingMessage, log)
  if (rest === '') socket.end()
  else socket.write(rest ?? '')
  for (let waited = 0; answer === '' && !socket.closed && waited < 50; waited++) await delay(2)
  await delay(5)
  if (at === 'later') use(raws[0] as IncomingMessage, log)
  await delay(5)
  const raw = raws[0] as IncomingMessage
  log(raw.readableEnded, raw.destroyed, raw.aborted, raw.closed, answer.replace(/Date: .*/, ''))
  socket.destroy()
  await app.close()
  return events
}

for (const [body, parts] of Object.entries(bodies)) {
  for (const [use, run] of Object.entries(uses)) {
    test(`${body}: ${use}`, async () => {
      const compare = async (at: (typeof moments)[number]): Promise<void> => {
        const [ours, nodes] = await Promise.all(
          [true, false].map((internals) => observe(internals, parts, run, at)),
        )
        assert.deepEqual(ours, nodes, at)
      }
      await Promise.all(moments.map(compare))
    })
  }
}

test('a body is read without listeners, on the releases that are tested', async () => {
  for (const useNodeInternals of [true, false]) {
    const app = framework({ useNodeInternals })
    const raws: IncomingMessage[] = []
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      raws.push(raw)
      done()
    })
    app.post('/', () => 'answer')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write(
      'POST / HTTP/1.1\r\nhost: test\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n1',
    )
    while (raws.length === 0) await delay(1)
    assert.equal(raws[0]?.listenerCount('data'), useNodeInternals ? 0 : 1)
    socket.destroy()
    await app.close()
  }
})

test('replaced functions of Node are called as without its internals', async () => {
  const { prototype } = http.IncomingMessage
  for (const name of ['on', 'push', '_dump', 'emit', 'destroy'] as const) {
    const own = Object.getOwnPropertyDescriptor(prototype, name)
    const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown
    let calls: unknown[] = []
    function replaced(this: unknown, ...args: unknown[]): unknown {
      calls.push(textOf(args[0]))
      return original.apply(this, args)
    }
    /** Returns the calls during two requests. */
    const call = async (IncomingMessage: typeof http.IncomingMessage): Promise<unknown[]> => {
      calls = []
      const app = framework({ http: { IncomingMessage } })
      app.all('/', (request, reply) => reply.send(request.body ?? 'nothing'))
      const url = await app.listen({ port: 0, host: '127.0.0.1' })
      const headers = { connection: 'close' }
      assert.equal(await (await fetch(url, { headers })).text(), 'nothing')
      const response = await fetch(url, { method: 'POST', headers, body: 'text' })
      assert.equal(await response.text(), 'text')
      await app.close()
      return calls
    }
    const createdBefore = createIncomingClass(http)
    Object.defineProperty(prototype, name, { configurable: true, writable: true, value: replaced })
    try {
      const expected = await call(http.IncomingMessage)
      assert.ok(expected.length > 0, name)
      for (const each of [createdBefore, createIncomingClass(http)])
        assert.deepEqual(await call(each), expected, name)
    } finally {
      if (own === undefined) Reflect.deleteProperty(prototype, name)
      else Object.defineProperty(prototype, name, own)
    }
  }
})
