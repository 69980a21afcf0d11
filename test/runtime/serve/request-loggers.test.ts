/** Lines of request loggers, however the logger of the application is changed. */
import { test } from 'node:test'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { assertSame, type Note } from '../../support/differential.ts'

/** Members of pino's loggers besides the levels. */
interface PinoLogger {
  level: string
  onChild: unknown
  child: (...args: unknown[]) => PinoLogger
  info: (...args: unknown[]) => void
  bindings(): object
  setBindings(bindings: object): void
  isLevelEnabled(level: string): boolean
  on(event: 'level-change', listener: (...args: unknown[]) => void): void
}

type Handler = (log: PinoLogger, request: FastifyRequest, note: Note) => unknown

const handlers: Record<string, Handler> = {
  nothing: () => {},
  silenced: (log) => (log.level = 'silent'),
  loud: (log) => (log.level = 'trace'),
  'loud itself': (_log, { log }) => (log.level = 'trace'),
  'silenced itself': (_log, { log }) => (log.level = 'silent'),
  bound: (log) => log.setBindings({ more: 'bindings' }),
  'bound itself': (_log, { log }) =>
    (log as unknown as PinoLogger).setBindings({ own: 'bindings' }),
  'a child': (_log, { log }) => log.child({ a: 1 }, { level: 'trace' }).trace('a child'),
  'another child': (_log, { log }) => log.child({ a: 1, reqId: 'twice' }).info('a child'),
  'with onChild': (log, _request, note) =>
    (log.onChild = (child: PinoLogger) => note('child', child.bindings())),
  'with a listener to levels': (log, _request, note) =>
    log.on('level-change', (...args) => note('level', ...args.slice(0, 4))),
  'a patched child': (log, _request, note) => {
    const { child } = log
    log.child = (...args) => {
      note('child', ...args)
      return child.apply(log, args)
    }
  },
  'a patched level': (log, _request, note) => {
    const { info } = log
    log.info = (...args) => {
      note('info')
      info.apply(log, args)
    }
  },
  'other serializers': (log) => {
    const symbol = Symbol.for('pino.serializers')
    const symbols = log as unknown as Record<symbol, object>
    symbols[symbol] = { ...symbols[symbol], reqId: (id: string) => `<${id}>` }
  },
}

const options: Record<string, object> = {
  usual: {},
  debug: { level: 'debug' },
  warn: { level: 'warn' },
  named: { name: 'app', base: { some: 'base' }, messageKey: 'text', msgPrefix: '> ' },
  // An own property, which an assignment would make the prototype.
  'with __proto__': JSON.parse(
    '{ "__proto__": { "level": "error", "msgPrefix": "> " } }',
  ) as object,
  'a serializer of ids': { serializers: { reqId: (id: string) => id.toUpperCase() } },
  redacted: { redact: ['reqId', 'req.url'] },
  formatted: {
    formatters: {
      level: (level: string) => ({ level }),
      bindings: (bindings: object) => ({ ...bindings, formatted: true }),
      log: (line: object) => ({ ...line, logged: true }),
    },
  },
  mixed: { mixin: (_line: object, level: number) => ({ mixed: level }) },
  levels: { customLevels: { loud: 35 } },
  hooked: {
    hooks: {
      logMethod(this: PinoLogger, args: unknown[], method: (...args: unknown[]) => void) {
        method.apply(this, [{ hooked: this.bindings() }, ...args.slice(1)])
      },
    },
  },
}

for (const [kind, own] of Object.entries(options)) {
  test(`requests log the same, however the logger is used: ${kind}`, async () => {
    for (const [what, handle] of Object.entries(handlers)) {
      await assertSame({
        options: (stream) => ({ logger: { ...own, stream }, requestIdHeader: 'x-id' }),
        build(app, note) {
          note(what)
          for (const [index, logLevel] of (['', 'error', 'trace'] as const).entries()) {
            app.get(`/${index}`, { logLevel: logLevel as 'error' }, async (request) => {
              handle(app.log as unknown as PinoLogger, request, note)
              const log = request.log as unknown as PinoLogger
              for (const level of ['trace', 'info', 'error'] as const) request.log[level](level)
              note(log.level, log.bindings(), log.isLevelEnabled('debug'))
              return 'text'
            })
          }
          const logSerializers = { reqId: (id: string) => `(${id})` }
          app.get('/serialized', { logSerializers } as object, async ({ log }) =>
            log.info('serialized'),
          )
        },
        requests: [
          '/0',
          '/0',
          '/1',
          '/2',
          '/serialized',
          '/nowhere',
          '/0',
          { url: '/0', headers: { 'x-id': 'a "quoted"\\ id é' } },
        ],
      })
    }
  })
}

test('an `onChild` option gets each child', () =>
  assertSame({
    options: (stream) => ({ logger: { stream } }),
    build(app, note) {
      const open = app as FastifyInstance & { log: { onChild?: unknown } }
      open.log.onChild = (child: PinoLogger) => note('child', child.bindings())
      app.get('/', async () => 'text')
    },
    requests: ['/', '/'],
  }))
