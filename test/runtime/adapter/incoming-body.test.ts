/** Events of a request while its body arrives, and the state of its stream at each step. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import { finished, PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertSameOnConnections } from '../../support/connections.ts'
import { Wire } from '../../support/wire.ts'
import type { Note } from '../../support/differential.ts'

type Listen = (raw: FastifyRequest['raw'], note: (...values: unknown[]) => void) => void

const ways: Readonly<Record<string, Listen>> = {
  nothing: () => {},
  end: (raw, note) =>
    void raw.once('end', () => note('end')).addListener('close', () => note('close')),
  first: (raw, note) =>
    void raw
      .prependListener('data', (chunk: unknown) => note('data', String(chunk)))
      .prependOnceListener('end', () => note('end')),
  data: (raw, note) =>
    void raw
      .on('data', (chunk: unknown) => note('data', String(chunk)))
      .on('end', () => note('end')),
  error: (raw, note) =>
    void raw
      .on('error', ({ message }) => note('error', message))
      .on('aborted', () => note('aborted')),
  finished: (raw, note) => void finished(raw, (error) => note('finished', error?.message)),
  pipe: (raw, note) =>
    void raw
      .pipe(new PassThrough())
      .setEncoding('utf8')
      .on('data', (text) => note('piped', text)),
  paused: (raw, note) => {
    raw.pause()
    note('paused', raw.isPaused())
    setTimeout(() => raw.resume(), 20)
  },
  text: (raw) => void raw.setEncoding('latin1'),
  destroy: (raw) => void raw.destroy(),
}

const half = '{"title":"a'
const rest = ' book"}'
const length = half.length + rest.length
const head = (path: string, ...more: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: a.test', 'Content-Type: application/json', ...more, '', ''].join(
    '\r\n',
  )
const sized = (path: string, count = length): string => head(path, `Content-Length: ${count}`)

const steps = ['onRequest', 'preValidation', 'onSend', 'onResponse'] as const

for (const [way, listen] of Object.entries(ways)) {
  test(`a body in two parts, with ${way} during it`, () =>
    assertSameOnConnections({
      build(app, note) {
        const beside = (step: string, { raw }: FastifyRequest): void =>
          listen(raw, (...values) => note(step, ...values))
        app.addHook('onRequest', ({ url }, _reply, done) => {
          note(`${url} has come`)
          done()
        })
        app.addHook('onResponse', ({ url }, _reply, done) => {
          setTimeout(() => note(`${url} is over`), 40)
          done()
        })
        for (const step of steps) {
          const hook = (request: FastifyRequest, ...rest: unknown[]): void => {
            beside(step, request)
            const done = rest.at(-1) as () => void
            done()
          }
          app.post(`/${step}`, { [step]: hook } as object, (_request, reply) => reply.send('sent'))
        }
        app.post('/handler', (request, reply) => {
          beside('handler', request)
          reply.send(request.body)
        })
        app.post('/late', async (request) => {
          await wait(1)
          beside('late', request)
          return 'sent'
        })
        const onRequest = (request: FastifyRequest, _reply: unknown, done: () => void): void => {
          setTimeout(() => beside('between', request), 20)
          done()
        }
        app.post('/between', { onRequest }, ({ body }, reply) => reply.send(body))
      },
      async talk({ port, note, noted }) {
        for (const path of [...steps, 'handler', 'late', 'between'].map((step) => `/${step}`)) {
          const wire = new Wire(port)
          wire.write(`${sized(path)}${half}`)
          await noted(`${path} has come`)
          await wait(40)
          wire.write(rest)
          await Promise.race([noted(`${path} is over`), wire.end()])
          // The server may be done before the client has read the answer.
          if (wire.received === '' && wire.isOpen) await wire.more()
          note(path, wire.received)
          wire.destroy()
        }
      },
    }))
}

test("the state of a request's stream, step by step", () =>
  assertSameOnConnections({
    // Fastify 4.21 keeps the connection open after an error.
    oracle: fastify5,
    build: declare,
    async talk({ port, note }) {
      const first = new Wire(port)
      first.write('GET /last HTTP/1.1\r\nHost: a.test\r\n\r\n')
      await first.until('last')
      const chunk = `${length.toString(16)}\r\n${half}${rest}\r\n`
      const requests: Readonly<Record<string, string>> = {
        whole: `${sized('/book')}${half}${rest}`,
        chunked: `${head('/book', 'Transfer-Encoding: chunked')}${chunk}0\r\n\r\n`,
        empty: head('/book').replace('Content-Type: application/json\r\n', ''),
        'too short': `${sized('/book', 4)}{"a"`,
        'too long': `${head('/small', 'Transfer-Encoding: chunked')}${chunk}3\r\nmore\r\n0\r\n\r\n`,
        get: 'GET /book HTTP/1.1\r\nHost: a.test\r\n\r\n',
        'get with a body': `GET /book HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc`,
        pipelined: `${sized('/book')}${half}${rest}`.repeat(3),
      }
      for (const [name, text] of Object.entries(requests)) {
        note('request', name)
        const wire = new Wire(port)
        wire.write(text)
        await wait(60)
        wire.write('GET /last HTTP/1.1\r\nHost: a.test\r\n\r\n')
        await wait(60)
        note(name, wire.received)
        wire.destroy()
      }
      for (const name of ['in the middle', 'before any']) {
        note('request', name)
        const wire = new Wire(port)
        wire.write(`${sized('/aborted')}${name === 'before any' ? '' : half}`)
        await wait(20)
        wire.destroy()
        await wait(60)
      }
      const wire = new Wire(port)
      wire.write(`${head('/book', 'Transfer-Encoding: chunked')}3\r\n{"a\r\nno number\r\n`)
      await wait(60)
      note(wire.received)
      first.destroy()
    },
  }))

/** Routes that note the state of the stream at each step. */
function declare(app: FastifyInstance, note: Note): void {
  const look = (step: string, { raw }: FastifyRequest): void => {
    const { complete, readableEnded, readableFlowing, readableLength, destroyed, closed } = raw
    const { aborted, readableAborted, errored } = raw
    const facts = { complete, readableLength, destroyed, closed, aborted }
    note(step, JSON.stringify({ ...facts, readableAborted, errored: errored?.message }))
    // Releases of Node differ in reading a request without a body once it is answered.
    if (step !== 'onResponse' && step !== 'after') note(step, { readableEnded, readableFlowing })
  }
  app.setErrorHandler((error, request, reply) => {
    look('error', request)
    reply.code(error.statusCode ?? 500).send('error')
  })
  for (const step of ['onRequest', 'preParsing'] as const) {
    app.addHook(step as 'onRequest', (request, ...rest) => {
      look(step, request)
      const done = rest.at(-1) as () => void
      done()
    })
  }
  const options = {
    preValidation: (request: FastifyRequest, _reply: unknown, done: () => void) => {
      look('preValidation', request)
      process.nextTick(done)
    },
    onResponse: (request: FastifyRequest, _reply: unknown, done: () => void) => {
      look('onResponse', request)
      setImmediate(() => look('after', request))
      done()
    },
    onRequestAbort: async (request: FastifyRequest) => look('abort', request),
  }
  const handler = async (request: FastifyRequest): Promise<unknown> => {
    look('handler', request)
    await Promise.resolve()
    look('handler, later', request)
    return request.body ?? 'nothing'
  }
  app.post('/book', options, handler)
  app.get('/book', options, handler)
  app.post('/small', { ...options, bodyLimit: 4 }, handler)
  app.post('/aborted', options, handler)
  app.get('/last', { onResponse: options.onResponse }, async () => 'last')
}
