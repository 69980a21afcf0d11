/** The head of an answer: its bytes, and what `reply.raw` shows of it, whichever code has written it. */
import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { type IncomingMessage, OutgoingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FastifyReply } from 'fastify'
import framework from 'framework'
import { assertSameOnConnections, type Talk } from '../../support/connections.ts'
import { exchange, Wire } from '../../support/wire.ts'
import type { Note } from '../../support/differential.ts'
import { lost, names, odd, ofNode, values, ways } from '../../support/head-ways.ts'
import { runs } from '../../support/runs.ts'

type Internals = Record<'_header' | '_contentLength' | '_last' | 'chunkedEncoding', unknown>

const pathOf = (way: string): string => `/${way.replaceAll(' ', '-')}`

function watch(reply: FastifyReply, note: Note, way: string): void {
  const { raw } = reply
  const state = (when: string): void => {
    const { _header, _contentLength, _last, chunkedEncoding } = raw as unknown as Internals
    const own = [raw.headersSent, raw.statusCode, raw.statusMessage, raw.finished]
    const ends = [raw.writableEnded, raw.writableFinished]
    const internals = [_header, _contentLength, _last, chunkedEncoding]
    note(way, when, ...own, ...ends, ...internals, raw.getHeaders())
  }
  for (const event of ['prefinish', 'finish', 'close'] as const) raw.on(event, () => state(event))
  raw.on('error', (error) => note(way, error))
  setImmediate(state, 'later')
}

/** Sends every request often enough that values kept from the first answers are used. */
async function ask(
  { port, note }: Talk,
  paths: readonly string[],
  methods: readonly string[] = ['GET', 'GET', 'HEAD', 'GET'],
): Promise<void> {
  for (const path of paths) {
    for (const method of methods) {
      const end = ['GET /end HTTP/1.1', 'Host: a.test', 'Connection: close', '', '']
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: a.test', '', ...end]
      note(path, method, await exchange(port, ...lines))
    }
  }
}

for (const logged of [false, true]) {
  test(`heads on the wire, and what responses show of them${logged ? ', with a log' : ''}`, () =>
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
      async talk(talk) {
        const methods = logged ? ['GET', 'HEAD'] : undefined
        await ask(talk, Object.keys(ways).map(pathOf), methods)
        for (const way of Object.keys(lost)) {
          const wire = new Wire(talk.port)
          wire.get(pathOf(way))
          talk.note(way, await wire.end())
          await talk.noted(`${way} later`)
          await talk.noted(`${way} close`)
        }
      },
    }))
}

test('any headers, one answer after the other', () => {
  const header = fc.tuple(
    fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 3 })),
    fc.oneof(fc.constantFrom(...values, ...odd), fc.string({ unit: 'binary', maxLength: 4 })),
  )
  const answer = fc.record({
    headers: fc.array(fc.oneof({ weight: 5, arbitrary: header }, fc.constantFrom(...ofNode)), {
      maxLength: 3,
    }),
    status: fc.constantFrom(200, 200, 201, 404, 500),
  })
  const property = fc.asyncProperty(fc.array(answer, { minLength: 15, maxLength: 15 }), (answers) =>
    assertSameOnConnections({
      build(app, note) {
        app.get('/end', async () => 'that was all')
        app.get('/:index', async (request, reply) => {
          const { index } = request.params as { index: string }
          const { headers, status } = answers[Number(index)] as (typeof answers)[number]
          watch(reply, note, index)
          for (const [name, value] of headers) reply.header(name, value)
          return reply.code(status).send('text')
        })
      },
      talk: (talk) =>
        ask(
          talk,
          [...answers.keys()].map((index) => `/${index}`),
        ),
    }),
  )
  return fc.assert(property, runs(6))
})

const requests: Readonly<Record<string, readonly string[]>> = {
  usual: ['HTTP/1.1'],
  older: ['HTTP/1.0'],
  'older, but kept': ['HTTP/1.0', 'Connection: keep-alive'],
  kept: ['HTTP/1.1', 'Connection: keep-alive'],
  last: ['HTTP/1.1', 'Connection: close'],
  'with an expectation': ['HTTP/1.1', 'Expect: 100-continue'],
  'with another expectation': ['HTTP/1.1', 'Expect: more'],
}

for (const options of [
  {},
  { keepAliveTimeout: 0 },
  { keepAliveTimeout: 1500, http: { uniqueHeaders: ['x-a'] } },
  { maxRequestsPerSocket: 2 },
  { http: { keepAlive: true, noDelay: false, highWaterMark: 1 } },
]) {
  test(`all kinds of requests to a server with ${JSON.stringify(options)}`, () =>
    assertSameOnConnections({
      options,
      build(app) {
        app.get('/', async (_request, reply) => reply.header('x-a', 'plain').send('text'))
      },
      async talk({ app, port, note }) {
        for (const timeout of [app.server.keepAliveTimeout, 7000]) {
          app.server.keepAliveTimeout = timeout
          for (const [kind, [version, ...lines]] of Object.entries(requests)) {
            const wire = new Wire(port)
            for (let count = 0; count < 3; count++) {
              wire.write(`GET / ${version}`, 'Host: a.test', ...lines, '', '')
            }
            wire.write('GET / HTTP/1.1', 'Host: a.test', 'Connection: close', '', '')
            note(timeout, kind, await wire.end())
          }
        }
      },
    }))
}

test('a client that expects 100 Continue and gets none', () =>
  assertSameOnConnections({
    build(app) {
      app.get('/', async () => 'text')
      app.server.on('checkContinue', (request, response) =>
        app.server.emit('request', request, response),
      )
    },
    async talk(talk) {
      await ask(talk, ['/'])
      const wire = new Wire(talk.port)
      wire.get('/', 'Expect: 100-continue')
      talk.note(await wire.end())
    },
  }))

test("listeners to Node's diagnostics of servers", async () => {
  const channels = ['request.start', 'response.created', 'response.finish'] as const
  await assertSameOnConnections({
    build: (app) => void app.get('/', async () => 'text'),
    async talk(talk) {
      const noted = ({ response }: { response: ServerResponse }, name: string | symbol): void =>
        talk.note(name, response?.headersSent, response?.statusMessage, response?.getHeaders())
      for (const name of channels) diagnostics.subscribe(`http.server.${name}`, noted as never)
      const observer = new PerformanceObserver((list) => {
        for (const { detail } of list.getEntries() as unknown as { detail: { res: object } }[])
          talk.note('measured', detail.res)
      })
      observer.observe({ entryTypes: ['http'] })
      await ask(talk, ['/'])
      await talk.noted('measured')
      observer.disconnect()
      for (const name of channels) diagnostics.unsubscribe(`http.server.${name}`, noted as never)
    },
  })
})

test('patches of the class of responses', async () => {
  const patches = [
    // Node has it on the class above.
    [ServerResponse.prototype, 'end'],
    [ServerResponse.prototype, 'writeHead'],
    [OutgoingMessage.prototype, '_storeHeader'],
    [OutgoingMessage.prototype, 'setHeader'],
    [OutgoingMessage.prototype, 'end'],
    [OutgoingMessage.prototype, '_send'],
  ] as unknown as readonly (readonly [Record<string, () => unknown>, string])[]
  for (const [prototype, method] of patches) {
    const own = Object.getOwnPropertyDescriptor(prototype, method)
    const given = prototype[method] as () => unknown
    const patch = (note: Note): void => {
      prototype[method] = function (this: ServerResponse<IncomingMessage>, ...args: []) {
        note(method, this.req?.method)
        return given.apply(this, args)
      }
    }
    const restore = (): unknown =>
      own ? Object.defineProperty(prototype, method, own) : delete prototype[method]
    for (const when of ['before', 'after']) {
      try {
        await assertSameOnConnections({
          build(app, note) {
            if (when === 'before') patch(note)
            app.get('/', async () => 'text')
          },
          async talk(talk) {
            if (when === 'after') {
              await ask(talk, ['/'])
              patch(talk.note)
            }
            await ask(talk, ['/'])
            restore()
          },
        })
      } finally {
        restore()
      }
    }
  }
})

test('the head of a usual answer is not formatted again, and has the time of its second', async () => {
  const app = framework()
  let made = 0
  app.get('/', async (_request, reply) => {
    // `writeHead` sets the status that it writes.
    let status = 200
    Object.defineProperty(reply.raw, 'statusCode', {
      get: () => status,
      set(value: number) {
        status = value
        made += 1
      },
    })
    return 'text'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const seconds = new Set<number>()
  const start = Date.now()
  let count = 0
  while (Date.now() < start + 1300) {
    const before = Date.now()
    const response = await fetch(url)
    const date = Date.parse(response.headers.get('date') as string)
    assert.ok(date > before - 1050 && date <= Date.now(), `${date} at ${before}`)
    assert.equal(await response.text(), 'text')
    seconds.add(date)
    count += 1
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await app.close()
  assert.ok(seconds.size > 1)
  assert.ok(made > 0 && made < count / 4, `${made} of ${count}`)
})

// The last test, because Node 26 writes the old text after a change, and heads are written by Node alone from then on.
test('changes of the reason phrase of a status', () =>
  assertSameOnConnections({
    build: (app) => void app.get('/', async () => 'text'),
    async talk(talk) {
      await ask(talk, ['/'])
      for (const message of ['Fine', 'Schön', '', undefined, 'OK']) {
        STATUS_CODES[200] = message
        await ask(talk, ['/', '/'])
      }
    },
  }))
