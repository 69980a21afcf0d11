/**
 * Remembers where plugins are registered and hooks are added, and which hooks are pending, to explain hangs. Only in development.
 *
 * Uses the public methods of instances, so that it works for Fastify as well.
 */
import { subscribe } from 'node:diagnostics_channel'
import { callerOf } from '../../../runtime/errors/stack-limit.ts'
import type { Place } from '../../util/stack.ts'
import { placeInStack } from './stack.ts'

/** A registration with its place and its time limit. */
export interface Registration {
  readonly kind: 'plugin' | StepKind
  /** `''` if it has no name. */
  readonly name: string
  readonly function: Function | undefined
  readonly takesDone: boolean
  /** Time limit in ms; 0 for none. */
  readonly timeout: number
  readonly place: () => Place | undefined
}

const hooks = ['onReady', 'onListen', 'preClose', 'onClose'] as const
export type StepKind = (typeof hooks)[number] | 'after'

interface Instance {
  readonly initialConfig?: { readonly pluginTimeout?: number }
  [method: string]: unknown
}

/** By registered function. */
const plugins = new WeakMap<Function, Registration[]>()

/** Pending steps, in the order in which they started. */
const running = new Set<Registration>()

/** How long a hook without a timeout may be pending before it is reported, in ms. */
const MAX_PENDING = 3_000

/**
 * @param onLate called for a pending hook that no timeout ends, with the time it has been pending in ms, or 0
 * if the process exits because nothing is left to wait for
 */
export function rememberRegistrations(onLate: (step: Registration, after: number) => void): void {
  process.on('beforeExit', () => {
    for (const step of running) onLate(step, 0)
    running.clear()
  })
  subscribe('fastify.initialization', (message) => {
    const { fastify: app } = message as { fastify: Instance }
    const timeout = app.initialConfig?.pluginTimeout ?? 10_000
    around(app, 'register', (args, place) => {
      rememberPlugin(args[0], timeout, place)
      return args
    })
    around(app, 'addHook', ([name, hook, ...rest], place) => {
      // `addHook` passes it to the method `onClose`, which is wrapped below.
      if (name === 'onClose' || !isStep(name)) return [name, hook, ...rest]
      return [name, watched(name, hook, timeout, place), ...rest]
    })
    for (const name of ['after', 'onClose'] as const) {
      around(app, name, ([callback, ...rest], place) =>
        callback === undefined ? [] : [watched(name, callback, timeout, place), ...rest],
      )
    }
  })

  function watched(kind: StepKind, fn: unknown, timeout: number, place: Registration['place']) {
    if (typeof fn !== 'function') return fn
    const doneAt = placeOfDone(kind, fn.length)
    const { name } = fn
    const takesDone = doneAt !== undefined
    const step: Registration = { kind, name, function: fn, takesDone, timeout, place }
    const hasNoTimeout = kind === 'onListen' || kind === 'preClose' || kind === 'onClose'
    const reportLate = (): void => {
      running.delete(step)
      onLate(step, MAX_PENDING)
    }
    return like(fn, function (this: unknown, ...args: unknown[]): unknown {
      running.add(step)
      const timer = hasNoTimeout ? setTimeout(reportLate, MAX_PENDING).unref() : undefined
      const end = (): void => {
        clearTimeout(timer)
        running.delete(step)
      }
      const done = doneAt === undefined ? undefined : args[doneAt]
      if (typeof done === 'function') {
        args[doneAt as number] = like(done, (...results: unknown[]) => {
          end()
          return Reflect.apply(done, undefined, results) as unknown
        })
      }
      try {
        const result: unknown = Reflect.apply(fn, this, args)
        // Calling `then` of other thenables could repeat their work.
        if (result instanceof Promise) result.then(end, end)
        else if (typeof done !== 'function') end()
        return result
      } catch (error) {
        end()
        throw error
      }
    })
  }
}

export function registrationsOf(plugin: unknown): readonly Registration[] {
  return (typeof plugin === 'function' && plugins.get(plugin)) || []
}

/** Returns the latest pending step of a kind, once. */
export function takeRunning(kind: string): Registration | undefined {
  const step = [...running].findLast((step) => step.kind === kind)
  if (step !== undefined) running.delete(step)
  return step
}

function rememberPlugin(plugin: unknown, timeout: number, place: Registration['place']): void {
  if (plugin === null || plugin === undefined) return
  const { default: main = plugin } = plugin as { default?: unknown }
  if (plugin instanceof Promise) {
    // The caller of `register` gets the rejection.
    plugin.then(
      (module) => rememberPlugin(module, timeout, place),
      () => undefined,
    )
    return
  }
  if (typeof main !== 'function') return
  const { name, length } = main
  const takesDone = length > 2
  const one: Registration = { kind: 'plugin', name, function: main, takesDone, timeout, place }
  plugins.set(main, [...(plugins.get(main) ?? []), one])
}

/**
 * Returns the position of the `done` callback, for functions that don't return a promise. avvio calls them by their length: `(error, done)`
 * or `(error, context, done)` for `after`, `(instance, done)` for `onClose`.
 */
function placeOfDone(kind: StepKind, length: number): number | undefined {
  if (kind === 'after') return length > 1 ? Math.min(length, 3) - 1 : undefined
  if (kind === 'onClose') return length > 1 ? 1 : undefined
  return length === 1 ? 0 : undefined
}

function isStep(name: unknown): name is StepKind {
  return (hooks as readonly unknown[]).includes(name)
}

/** Number of stack frames to keep: wrappers and packages may be between the application and its framework. */
const FRAMES = 40

/** Wraps a method to change its arguments. */
function around(
  app: Instance,
  name: string,
  change: (args: unknown[], place: Registration['place']) => unknown[],
): void {
  const method = app[name]
  if (typeof method !== 'function') return
  app[name] = like(method, function around(this: unknown, ...args: unknown[]): unknown {
    const caller = callerOf(around, FRAMES)
    const place = (): Place | undefined => placeInStack(caller.stack ?? '')
    return Reflect.apply(method, this, change(args, place))
  })
}

/** Makes a replacement look like the original: Fastify treats async functions differently. */
function like(original: Function, replacement: Function): Function {
  Object.setPrototypeOf(replacement, Object.getPrototypeOf(original) as object)
  const { name, length } = original
  return Object.defineProperties(replacement, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  })
}
