/** The two lines of a request are those that pino writes, whatever is set, or changed while the request is served. */
import assert from 'node:assert/strict'
import { tracingChannel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import framework, { type FastifyInstance, type FastifyReply } from 'framework'

type Log = Record<PropertyKey, unknown>
type Note = (...values: unknown[]) => void

interface Raw {
  readonly url: string
  method: unknown
  headers: Record<string, unknown>
  socket: object
}

/** What somebody who holds pino's symbols can reach. */
function symbolOf(log: object, name: string): symbol {
  for (let one: object = log; one !== null; one = Object.getPrototypeOf(one) as object) {
    const found = Object.getOwnPropertySymbols(one).find((each) => each.description === name)
    if (found !== undefined) return found
  }
  throw new Error(`pino has no ${name}`)
}

/** Sets what pino keeps under a name. */
function set(log: Log, name: string, value: unknown): void {
  log[symbolOf(log, name)] = value
}

function inside(log: Log, name: string): Log {
  return log[symbolOf(log, name)] as Log
}

/** Puts a function before one of the logger's. */
function patch(log: Log, name: PropertyKey, note: Note): void {
  const original = log[name] as (...args: unknown[]) => unknown
  log[name] = function (this: unknown, ...args: unknown[]) {
    note('called', String(name))
    return original.apply(this, args)
  }
}

/** `atEnd` takes what is to be called when the application is closed. */
type Change = (log: Log, note: Note, atEnd: (call: () => void) => void) => unknown

/** What a hook does before a request is logged as completed: to its logger, or to all of them. */
const changes: Record<string, Change> = {
  nothing: () => {},
  level: (log) => (log['level'] = 'error'),
  'louder level': (log) => (log['level'] = 'trace'),
  bindings: (log) => (log['setBindings'] as (more: object) => void)({ more: 'bindings' }),
  info: (log, note) => patch(log, 'info', note),
  write: (log, note) => patch(log, symbolOf(log, 'pino.write'), note),
  asJson: (log, note) => patch(log, symbolOf(log, 'pino.asJson'), note),
  'key of errors': (log) => {
    set(log, 'pino.errorKey', 'responseTime')
    inside(log, 'pino.serializers')['err'] = (error: unknown) => `${typeof error} as error`
  },
  'key of messages': (log) => set(log, 'pino.messageKey', 'another'),
  mixin: (log) => set(log, 'pino.mixin', () => ({ mixed: 'in' })),
  prefix: (log) => set(log, 'pino.msgPrefix', '> '),
  'nested key': (log) => {
    set(log, 'pino.nestedKey', 'nested')
    set(log, 'pino.nestedKeyStr', ',"nested":{')
  },
  'other formatters': (log) =>
    set(log, 'pino.formatters', { log: (line: object) => ({ ...line, formatted: true }) }),
  'hook of the stream': (log) =>
    (inside(log, 'pino.hooks')['streamWrite'] = (line: string) => line.toUpperCase()),
  'other stringifiers': (log) => set(log, 'pino.stringifiers', { res: () => '"other"' }),
  'other serializers': (log) => set(log, 'pino.serializers', { res: () => 'other' }),
  'a serializer of requests': (log) => (inside(log, 'pino.serializers')['req'] = () => 'other'),
  'a serializer of replies': (log) => (inside(log, 'pino.serializers')['res'] = () => 'other'),
  'a serializer of times': (log) =>
    (inside(log, 'pino.serializers')['responseTime'] = (time: unknown) => typeof time),
  'a serializer of messages': (log) =>
    (inside(log, 'pino.serializers')['msg'] = (text: string) => `<${text}>`),
  'another time': (log) => set(log, 'pino.time', () => ',"time":2'),
  'another stream': (log, note) => set(log, 'pino.stream', { write: (line: string) => note(line) }),
  metadata: (log, note) => {
    const stream = {
      [Symbol.for('pino.metadata')]: true,
      lastLevel: 0,
      lastMsg: '',
      write: (line: string) => note(stream.lastLevel, stream.lastMsg, line),
    }
    set(log, 'pino.stream', stream)
  },
  'another end': (log) => set(log, 'pino.end', '}\r\n'),
  'other levels': (log) => set(log, 'pino.lsCache', { 30: '{"level":"thirty"' }),
  listeners: (_log, note, atEnd) => {
    const listener = ({ result }: { result?: unknown }): void => note('told', typeof result)
    const channel = tracingChannel('pino_asJson').end
    channel.subscribe(listener as never)
    atEnd(() => channel.unsubscribe(listener as never))
  },
}

/** As well, before there are requests: later nobody makes functions of levels. */
const earlyChanges: typeof changes = {
  ...changes,
  'functions of levels': (log, note) => {
    const name = symbolOf(log, 'pino.setLevel')
    const setLevel = log[name] as (level: string) => void
    log[name] = function (this: Log, level: string) {
      setLevel.call(this, level)
      patch(this, 'info', note)
    }
  },
}

/** What an application says of its logger. */
const loggers: Record<string, (note: Note) => object> = {
  usual: () => ({}),
  silent: () => ({ level: 'error' }),
  'level as a text': () => ({ formatters: { level: (level: string) => ({ severity: level }) } }),
  'other keys': () => ({
    messageKey: 'message',
    errorKey: 'error',
    base: { a: 'base' },
    name: 'n',
  }),
  'no base': () => ({ base: null, crlf: true }),
  nested: () => ({ nestedKey: 'payload' }),
  prefixed: () => ({ msgPrefix: '"' }),
  'formatted lines': (note) => ({
    formatters: {
      log: (line: object) => {
        note('formatted', Object.keys(line))
        return line
      },
    },
  }),
  mixed: (note) => ({
    mixin: () => {
      note('mixed')
      return {}
    },
  }),
  'a hook of calls': (note) => ({
    hooks: {
      logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
        note('hooked', args.length)
        method.apply(this, args)
      },
    },
  }),
  'a hook of the stream': (note) => ({
    hooks: {
      streamWrite: (line: string) => {
        note('streamed')
        return line
      },
    },
  }),
  redacted: (note) => ({
    redact: {
      paths: ['req.url'],
      censor: (value: unknown) => {
        note('censored')
        return value
      },
    },
  }),
  'errors in the place of times': (note) => ({
    errorKey: 'responseTime',
    serializers: {
      err: (error: unknown) => {
        note('error', typeof error)
        return error
      },
    },
  }),
  serializers: (note) => ({
    serializers: {
      req: ({ url }: { url: string }) => {
        note('serialized')
        return { url }
      },
    },
  }),
  'a serializer of messages': () => ({ serializers: { msg: (text: string) => text.length } }),
  'a custom level': () => ({ customLevels: { info: 35, notice: 32 } }),
}

/** As JSON it is the key that it is found at. */
function strange(text: string): object {
  return Object.assign(Object(text) as object, { toJSON: (key: string) => key })
}

/** What a client sends, or becomes of it before there is a route. */
const requests: Record<string, (raw: Raw) => void> = {
  usual: () => {},
  version: ({ headers }) => (headers['accept-version'] = '1.2.3'),
  'a strange version': ({ headers }) => (headers['accept-version'] = strange('1')),
  'no host': ({ headers }) => delete headers['host'],
  'a strange host': ({ headers }) => (headers['host'] = 'a"\\\n\u2028\ud800é'),
  'no text of a host': ({ headers }) => (headers['host'] = strange('a')),
  'no address': ({ socket }) =>
    Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
  'a strange address': ({ socket }) =>
    Object.defineProperty(socket, 'remoteAddress', { value: strange('1') }),
  'a strange URL': (raw) => {
    const url = strange(raw.url)
    Object.defineProperty(raw, 'url', { get: () => url, set() {} })
  },
  'a port': ({ socket }) => Object.defineProperty(socket, 'remotePort', { value: 1024 }),
  'a strange port': ({ socket }) => Object.defineProperty(socket, 'remotePort', { value: '1' }),
  'no number of a port': ({ socket }) =>
    Object.defineProperty(socket, 'remotePort', { value: Number.NaN }),
  'another method': (raw) => (raw.method = Object('GET') as unknown),
  'a method in a list': (raw) => Object.defineProperty(raw, 'method', { value: ['GET'] }),
}

interface Setting {
  readonly logger?: (note: Note) => object
  readonly change?: Change
  readonly when?: 'one' | 'all' | 'early'
  readonly prepare?: (raw: Raw) => void
  readonly paths?: readonly string[]
}

const allPaths = ['/', '/?a="b"\\', '/changed', '/', '/status', '/loud', '/quiet', '/own', '/none']

/** What is logged of a few requests: by us, or by pino for the loggers that the application makes itself. */
async function logged(isPino: boolean, setting: Setting): Promise<string[]> {
  const { logger, change, when, prepare, paths = allPaths } = setting
  const notes: string[] = []
  const note: Note = (...values) => void notes.push(values.map(stable).join(' '))
  const ends: (() => void)[] = []
  const apply = (log: object): unknown => change?.(log as Log, note, (end) => ends.push(end))
  const app = framework({
    logger: {
      timestamp: () => {
        note('time')
        return ',"time":1'
      },
      stream: { write: (line: string) => note(line) },
      // Those of all loggers are one object.
      hooks: {},
      ...logger?.(note),
    },
    rewriteUrl(raw: object) {
      prepare?.(raw as Raw)
      return String((raw as Raw).url)
    },
  } as object) as unknown as FastifyInstance
  if (isPino)
    app.setChildLoggerFactory((parent, bindings, options) => parent.child(bindings, options))
  if (when === 'early') apply(app.log)
  app.addHook('onRequest', async (request) => {
    if (request.url !== '/changed' || when === 'early') return
    apply(when === 'all' ? app.log : request.log)
  })
  for (const path of ['/', '/changed']) app.get(path, async () => 'text')
  const onResponse = async (_request: unknown, { raw }: FastifyReply): Promise<void> => {
    raw.statusCode = '203' as never
  }
  app.get('/status', { onResponse }, async () => 'text')
  app.get('/loud', { logLevel: 'trace' }, async () => 'text')
  app.get('/quiet', { logLevel: 'warn' }, async () => 'text')
  app.get('/own', { logSerializers: { req: () => 'own' } } as object, async () => 'text')
  for (const url of paths) note(url, (await app.inject({ url })).statusCode)
  await app.close()
  for (const end of ends) end()
  return notes
}

function stable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replace(/("response_?time":)[\d.e-]+/i, '$1t')
}

async function assertSame(name: string, setting: Setting): Promise<void> {
  const expected = await logged(true, setting)
  assert.deepEqual(await logged(false, setting), expected, name)
}

test('what is changed while a request is served', async () => {
  for (const [name, change] of Object.entries(changes)) {
    await assertSame(name, { change, when: 'one' })
    await assertSame(`${name}, of all`, { change, when: 'all' })
  }
})

test('a formatter of lines that is put among the others', () => {
  const change = (log: Log): unknown =>
    (inside(log, 'pino.formatters')['log'] = (line: object) => ({ ...line, formatted: true }))
  // Requests that come later have the same formatters.
  return assertSame('one', { change, when: 'one', paths: ['/', '/changed'] })
})

test('what is changed before there are requests', async () => {
  for (const [name, change] of Object.entries(earlyChanges)) {
    await assertSame(name, { change, when: 'early' })
  }
})

test('what an application says of its logger', async () => {
  for (const [name, logger] of Object.entries(loggers)) await assertSame(name, { logger })
})

test('what is in a request', async () => {
  for (const [name, prepare] of Object.entries(requests)) await assertSame(name, { prepare })
})

test('both are written without pino where nothing is set', async () => {
  let calls = 0
  const app = framework({ logger: { stream: { write: () => {} } } })
  app.get('/', async () => 'text')
  await app.inject('/')
  patch(app.log as unknown as Log, symbolOf(app.log, 'pino.stringify'), () => (calls += 1))
  await app.inject('/')
  // The identifier of the request.
  assert.equal(calls, 1)
  await app.close()
})
