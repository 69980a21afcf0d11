/** Tells of the instances of Fastify that are made in this process. */
import type { FastifyLine } from '../artifact/lines.ts'

export interface Log {
  warn(message: string): void
  error(message: string): void
}

export interface Instance {
  readonly version: string
  readonly log: Log
}

/** The channel that Fastify publishes each new instance on. */
const CHANNEL = 'fastify.initialization'

export function watchInstances(tell: (instance: Instance) => void): void {
  process
    .getBuiltinModule('node:diagnostics_channel')
    .subscribe(CHANNEL, (message) => tell((message as { readonly fastify: Instance }).fastify))
}

/** The line that a release belongs to, if it is one of ours. */
export function lineOf(version: string): FastifyLine | undefined {
  const major = version.split('.', 1)[0]
  return major === '4' || major === '5' ? `fastify@${major}` : undefined
}

/** Says it in the log of an instance, or, where that is nowhere, as a warning of the process. */
export function say(message: string, log: Log | undefined): void {
  // Of a logger that is off, all methods are one and the same.
  if (log !== undefined && log.warn !== log.error) log.warn(message)
  else process.emitWarning(message, 'FrameworkWarning')
}
