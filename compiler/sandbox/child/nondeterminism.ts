/** Detects values that differ between runs or machines: no schema may depend on them. */
import crypto from 'node:crypto'
import os from 'node:os'
import process from 'node:process'
import { callerOf } from '../../../runtime/errors/stack-limit.ts'
import { describeEnvironment, environmentOf, mergeEnvironments } from '../environment.ts'
import type { Environment } from '../environment.ts'

/** The reason why a value may differ elsewhere. */
export interface Dependency {
  readonly why: string
  /** The part of the environment that the value depends on. */
  readonly environment?: Environment
}

/** The first dependency of the value that is being computed. */
let firstFound: Dependency | undefined

/** Forgets dependencies: packages may read the clock or the environment while they are loaded. */
export function resetDependency(): void {
  firstFound = undefined
}

/** The reason why the value that was just computed may differ elsewhere; `undefined` if it can't. */
export function dependency(): Dependency | undefined {
  return firstFound
}

/** Notices from now on when code reads random numbers, the clock, the environment or properties of the machine. */
export function watchNondeterminism(root: string): void {
  // The real folder may have another path, through links.
  process.cwd = () => root
  const chance = 'it is a random number'
  const clock = 'it depends on the clock'
  const machine = 'it depends on the machine'
  watchMethods(Math, ['random'], chance)
  const random = Object.keys(crypto).filter((name) => /^(?:generate|random)/.test(name))
  watchMethods(crypto, random, chance)
  const webCrypto = Object.getPrototypeOf(crypto.webcrypto) as object
  watchMethods(webCrypto, ['getRandomValues', 'randomUUID'], chance)
  watchMethods(performance, ['now'], clock)
  watchMethods(process.hrtime, ['bigint'], clock)
  watchMethods(process, ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage'], clock)
  watchMethods(os, Object.keys(os), machine)
  watchDates(clock)
  watchMethods(Number.prototype, ['toLocaleString'], machine)
  watchMethods(Intl.DateTimeFormat.prototype, ['resolvedOptions'], machine)
  watchEnvironment()
}

function note(why: string): void {
  firstFound ??= { why }
}

/** Collects all variables that are read, because only the use of the result shows which of them matter. */
function noteEnvironment(read: Environment): void {
  if (firstFound !== undefined && firstFound.environment === undefined) return
  const environment = firstFound?.environment
    ? mergeEnvironments([firstFound.environment, read])
    : read
  firstFound = { why: describeEnvironment(environment), environment }
}

function watchMethods(owner: object, names: readonly string[], why: string): void {
  const members = owner as Record<string, unknown>
  for (const name of names) {
    const original = members[name]
    if (typeof original !== 'function') continue
    const handler: ProxyHandler<Function> = {
      apply(target, self, args) {
        if (name !== 'hrtime' || !isReadByNode(handler.apply as Function)) note(why)
        return Reflect.apply(target, self, args) as unknown
      },
    }
    const watched = new Proxy(original, handler)
    Object.defineProperty(owner, name, { value: watched, configurable: true, writable: true })
  }
}

/** Watches the current time and everything that depends on the time zone. */
function watchDates(clock: string): void {
  const zone = 'it depends on the time zone'
  const RealDate = Date
  const local = Object.getOwnPropertyNames(RealDate.prototype).filter((name) =>
    /^(?:get(?!UTC|Time$)|set(?!UTC|Time$)|to(?:Locale|DateString|TimeString|String))/.test(name),
  )
  watchMethods(RealDate.prototype, local, zone)
  const { parse } = RealDate
  const parseText = (text: string): number => {
    const time = parse(text)
    if (!Number.isNaN(time) && !UTC.test(text)) note(zone)
    return time
  }
  watchMethods(RealDate, ['now'], clock)
  RealDate.parse = parseText
  globalThis.Date = new Proxy(RealDate, {
    apply(target) {
      note(clock)
      return Reflect.apply(target, undefined, [])
    },
    construct(target, args, newTarget) {
      if (args.length === 0) note(clock)
      else if (args.length > 1) note(zone)
      else if (typeof args[0] === 'string') parseText(args[0])
      return Reflect.construct(target, args, newTarget) as object
    },
  })
  Object.defineProperty(RealDate.prototype, 'constructor', { value: Date })
}

/** Texts of times that are the same everywhere: a date in ISO format, or a time with a zone. */
const UTC = /^[+-]?\d{4,6}(?:-\d\d){0,2}$|Z$|GMT|UTC|:\d\d.*[+-]\d\d:?\d\d/i

/** Watches reads of environment variables. Evaluated code sees none of them, and no schema may depend on that. */
function watchEnvironment(): void {
  const noteVariable = (name: string | symbol, reader: Function): void => {
    if (typeof name !== 'string' || isReadByNode(reader)) return
    // A package that loads variables from a file reads its own settings first.
    const isForLoader = name.startsWith('DOTENV_')
    noteEnvironment(environmentOf(isForLoader ? [] : [name]))
  }
  const handler: ProxyHandler<NodeJS.ProcessEnv> = {
    get(target, name) {
      noteVariable(name, handler.get as Function)
      return Reflect.get(target, name) as unknown
    },
    has(target, name) {
      noteVariable(name, handler.has as Function)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      noteVariable(name, handler.getOwnPropertyDescriptor as Function)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      noteEnvironment(environmentOf([]))
      return Reflect.ownKeys(target)
    },
  }
  const environment = new Proxy(process.env, handler)
  Object.defineProperty(process, 'env', { value: environment, configurable: true, writable: true })
}

/** Returns whether Node's own code reads a variable or the clock, such as `console.warn` for colors, and `console.time`. */
function isReadByNode(reader: Function): boolean {
  const { stack } = callerOf(reader, 1)
  return /^\s+at (?:.*\()?node:/m.test(String(stack))
}
