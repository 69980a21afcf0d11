/**
 * Where plugins are registered and hooks are added, and which hooks have not come to an end: remembered in development, because
 * nothing tells of it when a start fails.
 *
 * By the methods of the instance that every application is known to have, so that it holds for Fastify as well.
 */
import { subscribe } from 'node:diagnostics_channel'
import { callerOf } from '../../runtime/errors/stack-limit.ts'
import type { Place } from './stack.ts'
import { placeInStack } from './stack.ts'

/** What was added, from where, and what the application allows it. */
export interface Registration {
  readonly kind: 'plugin' | StepKind
  /** `''` when it has none. */
  readonly name: string
  readonly function: Function | undefined
  readonly takesDone: boolean
  /** How long it may take, in milliseconds; 0 for ever. */
  readonly timeout: number
  readonly place: () => Place | undefined
}

const hooks = ['onReady', 'onListen', 'preClose', 'onClose'] as const
export type StepKind = (typeof hooks)[number] | 'after'

interface Instance {
  readonly initialConfig?: { readonly pluginTimeout?: number }
  [method: string]: unknown
}

/** By the function that was registered. */
const plugins = new WeakMap<Function, Registration[]>()

/** What has begun, in that order. */
const running = new Set<Registration>()

/** How long a hook may take that no timeout of the application ends, in ms, before somebody is told. */
const PATIENCE = 3_000

/**
 * @param tell told of a hook that nothing else tells of when it does not come to an end: after that many milliseconds, or 0 when the
 *   process ends, as it does when nothing is left to wait for
 */
export function rememberRegistrations(tell: (late: Registration, after: number) => void): void {
  process.on('beforeExit', () => {
    for (const step of running) tell(step, 0)
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
      // It goes on to the method of that name.
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
    const isSilent = kind === 'onListen' || kind === 'preClose' || kind === 'onClose'
    const late = (): void => {
      running.delete(step)
      tell(step, PATIENCE)
    }
    return like(fn, function (this: unknown, ...args: unknown[]): unknown {
      running.add(step)
      const timer = isSilent ? setTimeout(late, PATIENCE).unref() : undefined
      const end = (): void => {
        clearTimeout(timer)
        running.delete(step)
      }
      const done = doneAt === undefined ? undefined : args[doneAt]
      if (typeof done === 'function') {
        args[doneAt as number] = like(done, (...given: unknown[]) => {
          end()
          return Reflect.apply(done, undefined, given) as unknown
        })
      }
      try {
        const result: unknown = Reflect.apply(fn, this, args)
        // What is only thenable may do its work again when it is asked again.
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

/** Where a plugin was registered. */
export function registrationsOf(plugin: unknown): readonly Registration[] {
  return (typeof plugin === 'function' && plugins.get(plugin)) || []
}

/** What of that kind was begun last and goes on, to be told of once. */
export function takeRunning(kind: string): Registration | undefined {
  const step = [...running].findLast((step) => step.kind === kind)
  if (step !== undefined) running.delete(step)
  return step
}

function rememberPlugin(plugin: unknown, timeout: number, place: Registration['place']): void {
  // A module has no prototype.
  if (plugin === null || plugin === undefined) return
  const { default: main = plugin } = plugin as { default?: unknown }
  if (plugin instanceof Promise) {
    // Whoever has registered it is told when it fails.
    plugin.then(
      (module) => rememberPlugin(module, timeout, place),
      () => undefined,
    )
    return
  }
  if (typeof main !== 'function') return
  const { name, length } = main
  const one: Registration = {
    kind: 'plugin',
    name,
    function: main,
    takesDone: length > 2,
    timeout,
    place,
  }
  plugins.set(main, [...(plugins.get(main) ?? []), one])
}

/** Which argument of it is called when it is done, if it does not return a promise instead. */
function placeOfDone(kind: StepKind, length: number): number | undefined {
  if (kind === 'after') return length > 1 ? Math.min(length, 3) - 1 : undefined
  if (kind === 'onClose') return length > 1 ? 1 : undefined
  return length === 1 ? 0 : undefined
}

function isStep(name: unknown): name is StepKind {
  return (hooks as readonly unknown[]).includes(name)
}

/** How much of a stack is remembered: wrappers and packages may stand between the application and its framework. */
const FRAMES = 40

/** Changes what a method gets. */
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

/** The function in the place of another one, as far as anybody asks: an async function is told from others. */
function like(original: Function, replacement: Function): Function {
  Object.setPrototypeOf(replacement, Object.getPrototypeOf(original) as object)
  const { name, length } = original
  return Object.defineProperties(replacement, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  })
}
