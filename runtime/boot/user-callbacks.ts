import { reportsUncaughtErrors, nextTick } from '../platform/index.ts'
import type { Callback, Done } from './queue.ts'

/**
 * A callback of `after`, `ready` or `close`: takes `()`, `(error)`, `(error, done)` or
 * `(error, instance, done)`; may return a promise when it takes no `done`.
 *
 * Only one without parameters passes the error on.
 */
export function withInstance(callback: Function, instance: object): Callback {
  return (error, done) => {
    if (callback.length === 0) settle(callback(), done, error)
    else if (callback.length === 1) settle(callback(error), done, undefined)
    else if (callback.length === 2) callback(error, done)
    else callback(error, instance, done)
  }
}

/** A callback of `onClose`: takes `()`, `(instance)` or `(instance, done)`. */
export function withInstanceOnly(callback: Function, instance: object): (done: Done) => void {
  return (done) => {
    if (callback.length === 0) settle(callback(), done, undefined)
    else if (callback.length === 1) settle(callback(instance), done, undefined)
    else callback(instance, done)
  }
}

function settle(result: unknown, done: Done, error: unknown): void {
  const promise = result as PromiseLike<unknown> | null | undefined
  if (promise && promise.then) {
    promise.then(() => nextTick(done, error), done)
  } else {
    nextTick(done, error)
  }
}

/**
 * Calls a function of the application. What it throws instead of calling back ends the process, as on Fastify; where that would
 * not be heard, so that the boot would wait in vain, it goes to `done`.
 */
export const callUser: <Result>(call: () => Result, done: Done) => Result | undefined =
  reportsUncaughtErrors
    ? (call) => call()
    : (call, done) => {
        try {
          return call()
        } catch (error) {
          done(error)
          return undefined
        }
      }
