/** Shows the error that an application logged before it exited. */
import { subscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { takeUnshown, uncaughtText, type ShowPlace } from './uncaught.ts'

interface Log {
  readonly level?: string
  [method: string]: unknown
}

interface Logged {
  readonly error: Error
  readonly at: number
  /** True if the logger's level is `silent`, so that nothing was written. */
  readonly isSilent: boolean
}

let last: Logged | undefined

/** Forgets the error, so that it isn't shown at exit. */
export function forgetLogged(): void {
  last = undefined
}

/** How long before the exit the error may have been logged, in ms: the application may close first. */
const RECENTLY = 1_000

/** The symbol under which pino stores a logger's serializers. */
const kPinoSerializers = Symbol.for('pino.serializers')

/**
 * Prints the error that an application logged before it exited, as in `log.error(error); process.exit(1)`.
 * The place is hard to find in a line of JSON, and missing if logging is off.
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
      // It may be in a line of the application's own logger. Without a logger, the application prints errors itself.
      process.stderr.write(`${explained.stack}\n`)
    }
  })
}

function listen(methods: Log, onError: (error: Error) => void): void {
  for (const name of ['error', 'fatal']) {
    const method = methods[name]
    if (typeof method !== 'function') continue
    methods[name] = function logged(this: unknown, ...args: unknown[]): unknown {
      const error = errorIn(args[0])
      if (error !== undefined) onError(error)
      return Reflect.apply(method, this, args) as unknown
    }
  }
}

/**
 * Returns the object that owns the logger's methods. Those of a logger that the application made without
 * pino aren't replaced, because its tests may inspect them. In an application without a logger, they
 * are replaced on the prototype: plugins check a logger's own levels.
 */
function methodsOf(log: Log): Log | undefined {
  if (kPinoSerializers in log) return log
  const prototype = Object.getPrototypeOf(log) as Log
  return Object.hasOwn(log, 'error') || Object.hasOwn(prototype, 'constructor')
    ? undefined
    : prototype
}

/** Logged alone or as a member. */
function errorIn(logged: unknown): Error | undefined {
  if (logged instanceof Error) return logged
  // An error of a response doesn't end the application.
  if (typeof logged !== 'object' || logged === null || 'res' in logged) return undefined
  const { err, error = err } = logged as { err?: unknown; error?: unknown }
  return error instanceof Error ? error : undefined
}
