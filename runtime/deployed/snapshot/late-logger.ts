/** Loggers are made when the process starts that logs: they hold its streams, its id and its host. */
import type { Logger } from '../../serve/model.ts'
import { building, fault } from './building.ts'

const levels = new Set(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])

/** In the order in which they were asked for. */
const waiting: (() => void)[] = []

/** Stands for the logger that `make` makes at the start; what is logged before is logged then. */
export function lateLogger(make: () => Logger): Logger {
  let real: Logger | undefined
  const calls: (() => void)[] = []
  const logger = (): Logger => (real ??= make())
  const call = (name: string, args: unknown[]): unknown =>
    (logger()[name as keyof Logger] as (...args: unknown[]) => unknown)(...args)
  waiting.push(() => {
    logger()
    for (const one of calls.splice(0)) one()
  })
  const own: Record<PropertyKey, unknown> = {
    child: (...args: unknown[]) => lateLogger(() => call('child', args) as Logger),
  }
  for (const level of levels) {
    own[level] = (...args: unknown[]): void => {
      if (building.isOn) calls.push(() => call(level, args))
      else call(level, args)
    }
  }
  return new Proxy(own, {
    get(_, name) {
      if (!building.isOn) return Reflect.get(logger(), name) as unknown
      if (name in own) return own[name]
      if (typeof name === 'string' && name !== 'then') fault('process', `the logger's ${name}`)
      return undefined
    },
    set(_, name, value: unknown) {
      if (building.isOn) calls.push(() => void Reflect.set(logger(), name, value))
      else Reflect.set(logger(), name, value)
      return true
    },
    has: (_, name) => (building.isOn ? name in own : name in logger()),
  }) as unknown as Logger
}

/** Makes the loggers, and logs what was logged before. */
export function startLoggers(): void {
  for (const start of waiting.splice(0)) start()
}
