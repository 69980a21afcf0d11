/** Observes the Fastify instances of this process. */
import type { FastifyLine } from '../artifact/lines.ts'

export interface Log {
  warn(message: string): void
  error(message: string): void
}

/** The way in which problems are reported: `strict` refuses the start, otherwise they are logged. */
export interface Reporting {
  readonly strict: boolean
  log(): Log | undefined
}

export interface Instance {
  readonly version: string
  readonly log: Log
}

/** The channel on which Fastify publishes each new instance. */
const CHANNEL = 'fastify.initialization'

export function watchInstances(listener: (instance: Instance) => void): void {
  process
    .getBuiltinModule('node:diagnostics_channel')
    .subscribe(CHANNEL, (message) => listener((message as { readonly fastify: Instance }).fastify))
}

/** Returns the supported release line of a version. */
export function lineOf(version: string): FastifyLine | undefined {
  const major = version.split('.', 1)[0]
  return major === '4' || major === '5' ? `fastify@${major}` : undefined
}

/** Logs a message, or emits a process warning if logging is off. */
export function say(message: string, log: Log | undefined): void {
  // In a disabled logger, all methods are the same.
  if (log !== undefined && log.warn !== log.error) log.warn(message)
  else process.emitWarning(message, 'FrameworkWarning')
}
