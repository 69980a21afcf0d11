/** Reports new applications to the channel `fastify.initialization` and to listeners in the same program. */
import { publish } from './index.ts'

type Listener = (app: object) => void

const listeners: Listener[] = []

/**
 * Calls `listener` for each new application, before anything is declared. Code of the same program uses this instead of the channel: in
 * workerd, publishing while a Worker starts creates an error, and V8 parses the whole Worker again for its stack.
 */
export function onNewApplication(listener: Listener): void {
  listeners.push(listener)
}

/** Calls the listeners of this program, then publishes to the channel `fastify.initialization`. */
export function announce(app: object): void {
  for (const listener of listeners) listener(app)
  publish('fastify.initialization', { fastify: app })
}
