/** Calls the callbacks of `after`, `ready`, `close` and `onClose` with as many arguments as they have parameters. */
import { reportsUncaughtErrors, nextTick } from '../platform/index.ts'
import type { Callback, Done } from './queue.ts'

/**
 * Wraps a callback of `after`, `ready` or `close`: `()`, `(error)`, `(error, done)` or `(error, instance, done)`. Without `done` it may
 * return a promise. Without parameters, the error is passed on.
 */
export function withInstance(callback: Function, instance: object): Callback {
  return (error, done) => {
    if (callback.length === 0) settle(callback(), done, error)
    else if (callback.length === 1) settle(callback(error), done, undefined)
    else if (callback.length === 2) callback(error, done)
    else callback(error, instance, done)
  }
}

/** Wraps a callback of `onClose`: `()`, `(instance)` or `(instance, done)`. */
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
 * Calls a function of the application. If it throws, the process ends, as with Fastify. Where uncaught errors aren't reported, the error
 * goes to `done`, because the start would hang.
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
