/** What is another value in each run, or on each machine: a slice may not depend on it. */
import crypto from 'node:crypto'
import os from 'node:os'
import process from 'node:process'
import { describeEnvironment, environmentOf, madeOf } from '../../values/environment.ts'
import type { Environment } from '../../values/environment.ts'

/** Why a value may be another one elsewhere. */
export interface Reason {
  readonly why: string
  /** What of the environment it depends on, when that is why. */
  readonly environment?: Environment
}

/** Why the value of the running slice is not the same everywhere. */
let reason: Reason | undefined

/** Forgets what was asked for; packages may look at the clock or the environment while they are loaded. */
export function reset(): void {
  reason = undefined
}

/** Why the value that was just computed may be another one elsewhere; `undefined` when it may not. */
export function noted(): Reason | undefined {
  return reason
}

/**
 * From here on it is noted when a slice asks for chance, the clock, the environment or the machine.
 *
 * @param root the folder that the application is started in
 */
export function watch(root: string): void {
  process.cwd = () => root
  const chance = 'it is a random number'
  const clock = 'it depends on the clock'
  const machine = 'it depends on the machine'
  watchMethods(Math, ['random'], chance)
  watchMethods(crypto, randomFunctions, chance)
  watchMethods(
    Object.getPrototypeOf(crypto.webcrypto) as object,
    ['getRandomValues', 'randomUUID'],
    chance,
  )
  watchMethods(performance, ['now'], clock)
  watchMethods(process, ['hrtime', 'uptime', 'cpuUsage', 'memoryUsage'], clock)
  watchMethods(os, Object.keys(os), machine)
  watchDates(clock)
  watchMethods(Number.prototype, ['toLocaleString'], machine)
  watchMethods(Intl.DateTimeFormat.prototype, ['resolvedOptions'], machine)
  watchEnvironment()
}

const randomFunctions = [
  'generateKey',
  'generateKeyPair',
  'generateKeyPairSync',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
]

function note(why: string): void {
  reason ??= { why }
}

/** All that is read of it is noted: which variable decides what, shows only where the result is used. */
function noteEnvironment(asked: Environment): void {
  if (reason !== undefined && reason.environment === undefined) return
  const environment = reason?.environment ? madeOf([reason.environment, asked]) : asked
  reason = { why: describeEnvironment(environment), environment }
}

function watchMethods(owner: object, names: readonly string[], why: string): void {
  const members = owner as Record<string, unknown>
  for (const name of names) {
    const original = members[name]
    if (typeof original !== 'function') continue
    const watched = new Proxy(original, {
      apply: (target, self, args) => {
        note(why)
        return Reflect.apply(target, self, args) as unknown
      },
    })
    Object.defineProperty(owner, name, { value: watched, configurable: true, writable: true })
  }
}

/** The present time, and what of a given time depends on the zone. */
function watchDates(clock: string): void {
  const zone = 'it depends on the time zone'
  const RealDate = Date
  const local = Object.getOwnPropertyNames(RealDate.prototype).filter((name) =>
    /^(?:get(?!UTC|Time$)|set(?!UTC|Time$)|to(?:Locale|DateString|TimeString|String))/.test(name),
  )
  watchMethods(RealDate.prototype, local, zone)
  globalThis.Date = class Date extends RealDate {
    constructor(...args: readonly unknown[]) {
      super(...(args as [number]))
      if (args.length === 0) note(clock)
      const [text] = args
      const isLocal =
        typeof text === 'string' &&
        /\d:\d\d/.test(text) &&
        !/(?:Z|GMT|UTC|[+-]\d\d:?\d\d)/i.test(text)
      if (args.length > 1 || isLocal) note(zone)
    }
    static override now(): number {
      note(clock)
      return RealDate.now()
    }
  } as DateConstructor
}

/** Slices see no environment; what they compute may not depend on that. */
function watchEnvironment(): void {
  const ask = (name: string | symbol): void => {
    if (typeof name !== 'string') return
    // A package that loads variables from a file asks for its own settings first.
    const isOfLoader = name.startsWith('DOTENV_')
    noteEnvironment(environmentOf(isOfLoader ? [] : [name]))
  }
  const environment = new Proxy<NodeJS.ProcessEnv>(process.env, {
    get: (target, name) => {
      ask(name)
      return Reflect.get(target, name) as unknown
    },
    has: (target, name) => {
      ask(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor: (target, name) => {
      ask(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys: (target) => {
      noteEnvironment(environmentOf([]))
      return Reflect.ownKeys(target)
    },
  })
  Object.defineProperty(process, 'env', { value: environment, configurable: true, writable: true })
}
