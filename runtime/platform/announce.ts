import { publish } from './index.ts'

/**
 * What is told of an application: as `subscribe` of the channel `fastify.initialization` tells it.
 *
 * @param prepare does what its first requests would have to do
 */
type Listener = (app: object, prepare: () => void) => void

const listeners: Listener[] = []

/**
 * Has what is part of the same program told of each application that is made from now on, before anything is declared. To publish it
 * while a Worker starts makes an error, for whose stack V8 reads the whole Worker again.
 */
export function whenMade(listener: Listener): void {
  listeners.push(listener)
}

/** Tells of an application. */
export function announce(app: object, prepare: () => void): void {
  for (const listener of listeners) listener(app, prepare)
  publish('fastify.initialization', { fastify: app })
}
