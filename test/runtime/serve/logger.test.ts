import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import framework from 'framework'
import {
  createChildLogger,
  createLogger as createFor,
  now,
  nullLogger,
} from '../../../runtime/serve/logger.ts'
import { serializeRequest } from '../../../runtime/lines/fastify-4/request.ts'
import type { Instance, Logger } from '../../../runtime/serve/model.ts'
import { kContext } from '../../../runtime/serve/symbols.ts'
import { createWorkshop } from '../../support/workshop.ts'

interface Oracle {
  createLogger(options: object): { logger: Logger; hasLogger: boolean }
}

const require = createRequire(import.meta.url)
const oracle = require('fastify/lib/logger') as Oracle
const instance = {
  [kContext]: { app: { logging: { requestIdLogLabel: 'label' } } },
} as unknown as Instance
const createLogger: Oracle['createLogger'] = (options) => createFor(options, serializeRequest)
const pino = require('pino') as (options: object, stream: unknown) => Logger

/** Options of the factory, writing to `stream`. */
const configurations: Record<string, (stream: unknown) => unknown> = {
  'nothing but a stream': (stream) => ({ stream }),
  'a level': (stream) => ({ stream, level: 'trace' }),
  'own serializers': (stream) => ({
    stream,
    serializers: { req: ({ url }: { url: string }) => ({ only: url }), extra: () => 'serialized' },
  }),
  'own formatters and keys': (stream) => ({
    stream,
    messageKey: 'text',
    formatters: { level: (label: string) => ({ level: label }) },
  }),
  'redacted paths': (stream) => ({ stream, redact: ['secret', 'req.url'] }),
  'a getter and a symbol among the options': (stream) => ({
    stream,
    get level() {
      return 'debug'
    },
    [Symbol('mine')]: 1,
  }),
  'a logger of pino': (stream) =>
    pino({ level: 'info', serializers: { extra: () => 'own' } }, stream),
  'a logger with serializers': (stream) =>
    Object.assign(pino({ level: 'info' }, stream), { serializers: { res: () => 'mine' } }),
  'a logger of another kind': (stream) =>
    otherLogger(stream as { write(line: string): void }, {}, {}),
}

/** A logger that is not pino's and writes what it is told. */
function otherLogger(
  stream: { write(line: string): void },
  bindings: object,
  options: object,
): Logger {
  const { serializers } = options as { serializers?: object }
  const write = (...args: unknown[]): void => {
    stream.write(
      JSON.stringify({ args, bindings, serializers: Object.keys(serializers ?? {}).sort() }),
    )
  }
  return {
    fatal: write,
    error: write,
    warn: write,
    info: write,
    debug: write,
    trace: write,
    child: (more, moreOptions) => otherLogger(stream, { ...bindings, ...more }, moreOptions ?? {}),
  }
}

function linesOf(create: Oracle['createLogger'], configure: (stream: unknown) => unknown): unknown {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const { logger, hasLogger } = create({ logger: configure(stream) })
  const error = Object.assign(new Error('broken'), { code: 'E_X', stack: 'stack' })
  const headers = { 'accept-version': '1.x' }
  const req = {
    method: 'GET',
    url: '/x',
    headers,
    hostname: 'host',
    ip: '::1',
    socket: { remotePort: 1 },
  }
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) {
    logger[level](
      { req, res: { statusCode: 201, more: 1 }, err: error, extra: 1, secret: 's' },
      level,
    )
    logger[level]({ req: { method: 'PUT', url: '/y' } }, 'with %s', 'arguments')
    logger.child({ reqId: 'req-1' }, { level: 'debug' })[level](error)
  }
  const withoutChance = lines.map((line) => line.replaceAll(/"(time|pid)":\d+/g, '"$1":0'))
  return { hasLogger, lines: withoutChance }
}

for (const [what, configure] of Object.entries(configurations)) {
  test(`a logger from ${what} writes what the oracle's writes`, () => {
    const actual = linesOf(createLogger, configure)
    assert.deepEqual(actual, linesOf(oracle.createLogger, configure))
    assert.notDeepEqual(actual, { hasLogger: true, lines: [] })
  })
}

test('an application without a logger has one that does nothing, of the shape of the oracle’s', () => {
  for (const options of [{}, { logger: false }, { logger: null }]) {
    const { logger, hasLogger } = createLogger(options)
    const theirs = oracle.createLogger(options)
    assert.equal(hasLogger, theirs.hasLogger)
    assert.equal(logger, nullLogger)
    assert.equal(logger.child({}), logger)
    assert.deepEqual(Object.keys(logger), Object.keys(theirs.logger))
    const methods = (value: object): string[] => {
      const names: string[] = []
      for (const name in value) names.push(name)
      return names.sort()
    }
    assert.deepEqual(methods(logger), methods(theirs.logger))
    assert.equal(logger.info('nothing'), undefined)
  }
})

test('values that are neither loggers nor options for one are refused as by Fastify', () => {
  const half = { info() {}, error() {}, child() {} }
  for (const logger of [half, { child() {} }, { stream: process.stdout, file: '/tmp/x' }]) {
    const failure = (create: Oracle['createLogger']): unknown => {
      try {
        return create({ logger })
      } catch (error) {
        return { ...(error as Error) }
      }
    }
    const { code } = failure(createLogger) as { code: string }
    assert.match(code, /^FST_ERR_LOG_/)
    assert.deepEqual(failure(createLogger), failure(oracle.createLogger))
  }
})

test('a logger writes to a file', async (t) => {
  const file = join(tmpdir(), `framework-logger-${process.pid}.log`)
  t.after(() => rmSync(file))
  const { logger } = createLogger({ logger: { file } })
  logger.info('to a file')
  // The file is written when pino finds the time for it, which a busy machine puts off.
  const isWritten = (): boolean => existsSync(file) && readFileSync(file, 'utf8') !== ''
  for (let attempt = 0; !isWritten() && attempt < 200; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.match(readFileSync(file, 'utf8'), /"msg":"to a file"/)
})

test('a logger of a factory must be one', () => {
  const raw = {} as never
  const { logger } = createLogger({ logger: { stream: { write() {} } } })
  const notOne = { childLoggerFactory: () => ({}) as Logger, server: instance }
  assert.throws(() => createChildLogger(notOne, logger, raw, 'req-1'), {
    code: 'FST_ERR_LOG_INVALID_LOGGER',
  })
})

test('a request logger is made with the id under its label', () => {
  const seen: unknown[] = []
  const logger = { ...nullLogger }
  const factory = function (this: unknown, ...args: unknown[]): Logger {
    seen.push(this, ...args)
    return nullLogger
  }
  const raw = { raw: true } as never
  createChildLogger({ childLoggerFactory: factory, server: instance }, logger, raw, 'req-1', {
    level: 'warn',
  })
  assert.deepEqual(seen, [instance, logger, { label: 'req-1' }, { level: 'warn' }, raw])
})

test('time is counted in milliseconds', async () => {
  const outer = performance.now()
  const start = now()
  const inner = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 5))
  const least = performance.now() - inner
  const passed = now() - start
  const most = performance.now() - outer
  assert.ok(passed >= least && passed <= most, `${least} <= ${passed} <= ${most}`)
})

test('pino is loaded only for a logger', () => {
  const script = `
    import { createRequire } from 'node:module'
    const { createLogger } = await import(process.argv[1])
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('pino'))
    createLogger({}).logger.info('x')
    const before = isLoaded()
    createLogger({ logger: { level: 'silent' } })
    console.log(before, isLoaded())
  `
  const module = new URL('../../../runtime/serve/logger.js', import.meta.url).href
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, module])
  assert.equal(String(output).trim(), 'false true')
})

for (const [title, transport] of [
  ['one target', { target: 'pino/file', options: { destination: '%' } }],
  ['several targets', { targets: [{ target: 'pino/file', options: { destination: '%' } }] }],
] as const) {
  test(`where strings are not evaluated, a transport of pino logs, and holds nothing up: ${title}`, (t) => {
    const shop = createWorkshop(t, 'cli/empty')
    const text = JSON.stringify(transport).replace('"%"', '"lines.log"')
    shop.write(
      'app.js',
      `import framework from 'framework'
      const app = framework({ logger: { transport: ${text} } })
      app.get('/', () => 'ok')
      await app.inject('/')
      if ('__bundlerPathsOverrides' in globalThis) throw new Error('it leaves a trace')`,
    )
    const { status, stderr } = shop.node('--disallow-code-generation-from-strings', 'app.js')
    assert.equal(status, 0, stderr)
    const lines = shop.read('lines.log').trim().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      ['incoming request', 'request completed'],
    )
  })
}

for (const [what, logger] of Object.entries({
  'the serializer of requests': { serializers: { req: broken } },
  'a serializer that is no function': { serializers: { req: 'text' } },
})) {
  test(`a request that fails by ${what} is heard of`, async () => {
    const lines: string[] = []
    const stream = { write: (line: string): unknown => lines.push(line) }
    const app = framework({ logger: { ...logger, stream } as never })
    app.get('/', async () => 'never')
    const { statusCode } = await app.inject('/')
    assert.equal(statusCode, 500)
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      ['a request failed, and its error cannot be logged with what belongs to it'],
    )
  })
}

test('a request that fails by a logger that cannot write is warned of', async () => {
  const app = framework({ logger: { mixin: broken, stream: { write: () => {} } } })
  app.get('/', async () => 'never')
  const warned = once(process, 'warning') as Promise<[Error]>
  assert.equal((await app.inject('/')).statusCode, 500)
  const [{ name }] = await warned
  assert.equal(name, 'FrameworkWarning')
})

function broken(): never {
  throw new Error('broken')
}
