/** Loggers are made when the process starts that logs: they hold its streams, its id and its host. */
import type { Settle } from '../../serve/logger.ts'
import type { Logger } from '../../serve/model.ts'
import { building, fault } from './building.ts'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** In the order in which they were asked for. */
const waiting: (() => void)[] = []

/**
 * Stands for the logger that `make` makes at the start; what is logged before is logged then. From then on it is a logger that has
 * all of that one, as if it had been made of it: pino writes to the logger that it makes a child of.
 *
 * @param settle is given it when it is one, and the same without a proxy around it
 */
export function lateLogger(make: () => Logger, settle: Settle = () => undefined): Logger {
  const calls: ((logger: Logger) => void)[] = []
  const own: Record<PropertyKey, unknown> = {
    child: (...args: Parameters<Logger['child']>) => lateLogger(() => started().child(...args)),
  }
  for (const level of levels) {
    own[level] = (...args: unknown[]): void => {
      calls.push((real) => (real[level as 'info'] as (...args: unknown[]) => void)(...args))
    }
  }
  const traps: ProxyHandler<typeof own> = {
    get(_, name, receiver) {
      if (!building.isOn) return Reflect.get(started(), name, receiver) as unknown
      if (name in own) return own[name]
      if (typeof name === 'string' && name !== 'then') fault('process', `the logger's ${name}`)
      return undefined
    },
    set(_, name, value: unknown, receiver) {
      if (!building.isOn) return Reflect.set(started(), name, value, receiver)
      calls.push((real) => void Reflect.set(real, name, value))
      return true
    },
  }
  const logger = new Proxy(own, traps) as unknown as Logger
  waiting.push(() => void started())
  return logger

  function started(): Logger {
    const real = own as unknown as Logger
    if (traps.get === undefined) return real
    for (const name of Object.keys(own)) delete own[name]
    Object.setPrototypeOf(own, make())
    delete traps.get
    delete traps.set
    settle(logger, real)
    for (const call of calls.splice(0)) call(real)
    return real
  }
}

/** Makes the loggers, and logs what was logged before. */
export function startLoggers(): void {
  for (const start of waiting.splice(0)) start()
}
