import type { Context } from '../context/index.ts'
import { isThenable } from '../serve/hook-runners.ts'
import type { Hook, Instance } from '../serve/model.ts'

/**
 * Runs the `onListen` hooks of a context in order, then those of its children, which don't wait for each other. Errors are logged. As in
 * Fastify, the next hook runs at once unless a hook takes a callback or returns a promise: who awaits `listen` can rely on it.
 */
export function runListenHooks({ hooks, instance, children }: Context): void {
  const pending = hooks.onListen.values()
  next()

  function next(error?: unknown): void {
    if (error) instance.log.error(error)
    const { value: hook } = pending.next()
    if (hook === undefined) children.forEach(runListenHooks)
    else run(hook, instance, next)
  }
}

/** Calls a hook, then `next` with its error. Fastify takes the value of a promise for an error as well. */
function run(hook: Hook, instance: Instance, next: (error?: unknown) => void): void {
  try {
    if (hook.length === 1) return void hook.call(instance, next)
    const result: unknown = hook.call(instance)
    if (isThenable(result)) return void result.then(next, next)
  } catch (error) {
    return next(error)
  }
  next()
}
