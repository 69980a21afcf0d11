import { pino, type Logger } from 'pino'
import framework, {
  type ChildLoggerOptions,
  type FastifyBaseLogger,
  type FastifyChildLoggerFactory,
  type FastifyLogFn,
  type FastifyLoggerInstance,
  type FastifyLoggerOptions,
  type FastifyReply,
  type FastifyRequest,
  type LogLevel,
  type PinoLoggerOptions,
} from 'framework'
import { same, type Equal, type Expect } from './expect.ts'

const app = framework({ logger: true })
same<FastifyBaseLogger>()(app.log)
app.log.info('text')
app.log.info({ a: 1 }, 'text with %s', 'a value')
app.log.info('text with %d values', 1, { more: true })
app.log.error(new Error())
app.log.silent('')
app.log.level = 'debug'
app.log.level = 'audit'
same<FastifyBaseLogger>()(app.log.child({ part: 'a' }, { level: 'warn' }))
const log: FastifyLogFn = app.log.warn
export type Deprecated = Expect<Equal<FastifyLoggerInstance, FastifyBaseLogger>>

// Options of the built-in logger: the framework's and pino's.
framework({
  logger: {
    level: 'warn',
    file: '/var/log/app',
    redact: ['req.headers.authorization'],
    formatters: { level: (label) => ({ label }) },
    serializers: {
      req: (request) => {
        same<string>()(request.url)
        return { method: request.method, url: request.url, mine: 1 }
      },
      res: (reply) => {
        same<number>()(reply.statusCode)
        same<FastifyReply['request'] | undefined>()(reply.request)
        return { statusCode: reply.statusCode }
      },
      err: (error) => ({
        type: 'E',
        message: error.message,
        stack: error.stack ?? '',
        code: error.code,
      }),
    },
    stream: { write: (line) => void line.length },
    transport: { target: 'pino-pretty' },
  },
})
const options: FastifyLoggerOptions & PinoLoggerOptions = { level: 'info', base: null }
framework({ logger: options })
// @ts-expect-error a level is text
framework({ logger: { level: 1 } })

// A logger of the application's own keeps its type.
const own = framework({ logger: pino({ level: 'info' }) })
same<Logger>()(own.log as Logger)
own.log.flush()
interface Audit extends FastifyBaseLogger {
  audit(text: string): void
}
declare const audit: Audit
framework({ logger: audit }).log.audit('yes')
// @ts-expect-error not a logger
framework({ logger: { info: () => {} } })
const level: LogLevel = 'silent'

// Loggers of requests.
const factory: FastifyChildLoggerFactory = function (logger, bindings, childOptions, raw) {
  same<ChildLoggerOptions>()(childOptions)
  same<string | undefined>()(raw.url)
  this.log.trace('request')
  return logger.child({ ...bindings, url: raw.url }, childOptions)
}
app.setChildLoggerFactory(factory)
app.get('/', { childLoggerFactory: factory, logLevel: level }, (request: FastifyRequest) => {
  same<FastifyBaseLogger>()(request.log)
})
