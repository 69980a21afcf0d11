/** The module `pino`. */
export type Pino = (options: LoggerOptions, stream: unknown) => unknown

interface LoggerOptions {
  readonly base?: unknown
  readonly formatters?: { readonly level?: unknown }
  readonly timestamp?: unknown
  readonly transport?: unknown
}

/** The names of Lambda's levels, from pino's number on. */
const levels = [
  [60, 'FATAL'],
  [50, 'ERROR'],
  [40, 'WARN'],
  [30, 'INFO'],
  [20, 'DEBUG'],
] as const

/** Loads pino with defaults for Lambda, which filters JSON lines by the members `level` and `timestamp`, as texts. */
export function loadLambdaLogger(load: () => Pino): Pino {
  const pino = load()
  const level = (_label: string, number: number): object => ({
    level: levels.find(([from]) => number >= from)?.[1] ?? 'TRACE',
  })
  const timestamp = (): string => `,"timestamp":"${new Date().toISOString()}"`
  const create: Pino = (options, stream) =>
    // The lines of other destinations aren't Lambda's. pino refuses this formatter with some transports.
    stream !== undefined || options.transport !== undefined
      ? pino(options, stream)
      : pino({ timestamp, ...options, formatters: { level, ...options.formatters } }, stream)
  return Object.setPrototypeOf(create, pino) as Pino
}
