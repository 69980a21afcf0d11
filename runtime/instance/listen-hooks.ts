import type { Context } from '../context/index.ts'
import { isThenable } from '../serve/hook-runners.ts'
import type { Hook, Instance } from '../serve/model.ts'

/** Runs the `onListen` hooks of a context in order, then those of its children, which don't wait for each other. Errors are logged. */
export async function runListenHooks({ hooks, instance, children }: Context): Promise<void> {
  for (const hook of hooks.onListen) {
    const error = await run(hook, instance).catch((reason: unknown) => reason)
    if (error) instance.log.error(error)
  }
  for (const child of children) void runListenHooks(child)
}

/** Returns the error of a hook. Fastify takes the value of a promise for one, as if a callback had been called with it. */
async function run(hook: Hook, instance: Instance): Promise<unknown> {
  if (hook.length === 1) return new Promise((resolve) => void hook.call(instance, resolve))
  const result: unknown = hook.call(instance)
  return isThenable(result) ? result : undefined
}
