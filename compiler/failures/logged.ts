import { subscribe } from 'node:diagnostics_channel'
import { takeUnshown } from './explained.ts'

interface Message {
  readonly fastify: { readonly log?: { readonly level?: string } }
}

/**
 * Prints the error that an application with a logger has ended with, as most do: `log.error(error)`, then `process.exit(1)`. In a
 * line of JSON nobody finds the place.
 */
export function showLogged(): void {
  let hasLogger = false
  subscribe('fastify.initialization', (message) => {
    const { level = 'silent' } = (message as Message).fastify.log ?? {}
    hasLogger ||= level !== 'silent'
  })
  process.on('exit', (code) => {
    const error = takeUnshown()
    if (code !== 0 && hasLogger && error !== undefined) process.stderr.write(`${error.stack}\n`)
  })
}
