import { subscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { takeUnshown } from './explained.ts'
import { uncaughtText, type ShowPlace } from './uncaught.ts'

interface Log {
  readonly level?: string
  [method: string]: unknown
}

interface Logged {
  readonly error: Error
  readonly at: number
  /** Whether nobody has seen it. */
  readonly isSilent: boolean
}

let last: Logged | undefined

/** Nothing is to be said of it at the end any more. */
export function forgetLogged(): void {
  last = undefined
}

/** How long before its end an application logs what it ends with, in ms: it may close first. */
const RECENTLY = 1_000

/** pino keeps the serializers of a logger under it. */
const kPinoSerializers = Symbol.for('pino.serializers')

/**
 * Prints the error that an application has ended with after it was logged, as most do: `log.error(error)`, then `process.exit(1)`. In
 * a line of JSON nobody finds the place, and where nothing is logged there is not even that.
 */
export function showLogged(show?: ShowPlace): void {
  let hasLogger = false
  const seen = new WeakSet<Log>()
  subscribe('fastify.initialization', (message) => {
    const { log } = (message as { fastify: { readonly log?: Log } }).fastify
    if (log === undefined) return
    const isSilent = (log.level ?? 'silent') === 'silent'
    hasLogger ||= !isSilent
    const methods = methodsOf(log)
    if (methods === undefined || seen.has(methods)) return
    seen.add(methods)
    listen(methods, (error) => {
      last = { error, at: performance.now(), isSilent }
    })
  })
  process.on('exit', (code) => {
    const explained = takeUnshown()
    if (code === 0) return
    if (last !== undefined && performance.now() - last.at < RECENTLY) {
      const text = uncaughtText(last.error, show) ?? (last.isSilent ? inspect(last.error) : '')
      if (text !== '') process.stderr.write(`${text.trimEnd()}\n`)
    } else if (hasLogger && explained !== undefined) {
      process.stderr.write(`${explained.stack}\n`)
    }
  })
}

/** Listens to what is logged as an error. */
function listen(methods: Log, heard: (error: Error) => void): void {
  for (const name of ['error', 'fatal']) {
    const method = methods[name]
    if (typeof method !== 'function') continue
    methods[name] = function logged(this: unknown, ...args: unknown[]): unknown {
      const error = errorIn(args[0])
      if (error !== undefined) heard(error)
      return Reflect.apply(method, this, args) as unknown
    }
  }
}

/**
 * Where the methods of a logger lie, unless the application has made it: its tests may look at them. Those of an application without a
 * logger lie in the prototype, and stay there: plugins ask which levels a logger has of its own.
 */
function methodsOf(log: Log): Log | undefined {
  if (kPinoSerializers in log) return log
  const prototype = Object.getPrototypeOf(log) as Log
  return Object.hasOwn(log, 'error') || Object.hasOwn(prototype, 'constructor')
    ? undefined
    : prototype
}

/** As it is logged alone, and with other members. */
function errorIn(logged: unknown): Error | undefined {
  if (logged instanceof Error) return logged
  // What an answer has failed with ends no application.
  if (typeof logged !== 'object' || logged === null || 'res' in logged) return undefined
  const { err, error = err } = logged as { err?: unknown; error?: unknown }
  return error instanceof Error ? error : undefined
}
