import type { Context } from '../context/index.ts'
import type { Hook, Instance } from '../serve/model.ts'

/** Runs the `onListen` hooks of a context in order, then those of its children, which don't wait for each other. Errors are logged. */
export async function runListenHooks({ hooks, instance, children }: Context): Promise<void> {
  for (const hook of hooks.onListen) {
    try {
      await run(hook, instance)
    } catch (error) {
      instance.log.error(error)
    }
  }
  for (const child of children) void runListenHooks(child)
}

/** A hook with a parameter calls back. */
function run(hook: Hook, instance: Instance): unknown {
  if (hook.length !== 1) return hook.call(instance)
  return new Promise<void>((resolve, reject) => {
    hook.call(instance, (error?: unknown) => {
      if (error) reject(error as Error)
      else resolve()
    })
  })
}
