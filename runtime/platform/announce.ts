import { publish } from './index.ts'

type Listener = (app: object) => void

const listeners: Listener[] = []

/**
 * Has what is part of the same program told of each application that is made from now on, before anything is declared. To publish it
 * while a Worker starts makes an error, for whose stack V8 reads the whole Worker again.
 */
export function whenMade(listener: Listener): void {
  listeners.push(listener)
}

/** Calls the listeners of this program, then publishes to the channel `fastify.initialization`. */
export function announce(app: object): void {
  for (const listener of listeners) listener(app)
  publish('fastify.initialization', { fastify: app })
}
