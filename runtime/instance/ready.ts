import { explained } from '../artifact/registry.ts'
import type { Application } from '../context/application.ts'
import { contextOf, type Context } from '../context/index.ts'
import { toPublicBootError } from '../errors/index.ts'
import { nextTick } from '../platform/index.ts'
import { isThenable } from '../serve/hook-runners.ts'
import type { Hook, Instance } from '../serve/model.ts'

/** Adds a step to the boot queue, as avvio's `ready` does. It doesn't run `onReady` hooks. */
export type BootReady = (
  callback: (error: unknown, done: (error?: unknown) => void) => void,
) => void

type ReadyCallback = (error: unknown, instance?: Instance) => void

/** Creates the root's `ready`: loads everything, runs the `onReady` hooks, then calls back or resolves. */
export function createReady(
  app: Application,
  bootReady: BootReady,
): (callback?: ReadyCallback) => Promise<Instance> | undefined {
  let starting: Promise<Instance> | undefined
  return app.line.sharesReady ? readyOnce : ready

  function ready(callback?: ReadyCallback): Promise<Instance> | undefined {
    if (callback) {
      run(callback)
      return undefined
    }
    return new Promise((resolve, reject) => {
      run((error) => {
        if (error) reject(error)
        else resolve(app.root)
      })
    })
  }

  function readyOnce(callback?: ReadyCallback): Promise<Instance> | undefined {
    if (starting === undefined) {
      starting = ready() as Promise<Instance>
      // As in Fastify 5, later calls get the error of a failed start.
      starting.then(() => (starting = undefined), noop)
    }
    if (!callback) return starting
    void starting.then(() => callback(null, app.root), callback)
    return undefined
  }

  function run(callback: ReadyCallback): void {
    const settle = (error?: unknown): void => {
      if (error) callback(toReported(error))
      else callback(undefined, app.root)
    }
    nextTick(() => {
      bootReady((error, done) => {
        if (error || app.state.started) settle(error)
        else runApplicationHooks('onReady', bootReady, contextOf(app.root), settle)
        done()
      })
    })
  }
}

/** Runs the hooks of a context, then those of its children, each as a boot step. */
export function runApplicationHooks(
  name: 'onReady' | 'preClose',
  bootReady: BootReady,
  context: Context,
  done: (error?: unknown) => void,
): void {
  const hooks = context.hooks[name]
  let last: Hook | undefined
  for (const hook of hooks) {
    const step = toBootStep(hook, context.instance)
    bootReady((error, stepDone) => {
      if (!error) last = hook
      step(error, stepDone)
    })
  }
  let next = 0
  runChild()

  function runChild(error?: unknown): void {
    if (error) {
      exit(error)
    } else if (next < context.children.length) {
      runApplicationHooks(name, bootReady, context.children[next++] as Context, runChild)
    } else if (hooks.length === 0 && context.children.length === 0) {
      exit()
    } else {
      bootReady((bootError, bootDone) => {
        exit(bootError)
        bootDone(bootError)
      })
    }
  }

  function exit(error?: unknown): void {
    if (error) done(toReported(error, () => context.app.line.createHookTimeout(name, last)))
    else done()
  }
}

/** Returns the error to report. @param createTimeout creates the error for hooks that are pending too long */
function toReported(error: unknown, createTimeout?: () => Error): unknown {
  const { code } = error as { code?: unknown }
  const isPluginTimeout = code === 'AVV_ERR_PLUGIN_EXEC_TIMEOUT'
  if (!isPluginTimeout && code !== 'AVV_ERR_READY_TIMEOUT') return toPublicBootError(error)
  const timeout =
    isPluginTimeout || createTimeout === undefined
      ? toPublicBootError(error)
      : Object.assign(createTimeout(), { cause: error })
  return explained(timeout as Error)
}

/** A hook with a parameter calls back; others may return a promise. */
function toBootStep(
  hook: Hook,
  instance: Instance,
): (error: unknown, done: (error?: unknown) => void) => void {
  return (error, done) => {
    if (error) {
      done(error)
      return
    }
    let result: unknown
    try {
      result = hook.length === 1 ? hook.call(instance, done) : hook.call(instance)
    } catch (thrown) {
      done(thrown)
      return
    }
    if (hook.length === 1) return
    if (isThenable(result)) result.then(() => done(), done)
    else done()
  }
}

function noop(): void {}
