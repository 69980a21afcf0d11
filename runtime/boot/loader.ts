import { bootErrorCodes } from '../errors/index.ts'
import { nextTick } from '../platform/index.ts'
import { callUser } from './user-callbacks.ts'
import { nameInBoot } from './plugin-meta.ts'
import { Plugin, type PluginFunction } from './plugin.ts'
import type { Callback, Done } from './queue.ts'
import { resolved, Watchdog } from './watchdog.ts'

export interface LoaderOptions<Instance> {
  /** How long a plugin, an `after` or a `ready` callback may take, in milliseconds; 0 for ever. */
  readonly timeout: number
  /** Makes the instance that a plugin is called with; an error of it is the plugin's error. */
  readonly override: (
    parent: Instance,
    plugin: PluginFunction<Instance>,
    options: unknown,
  ) => Instance
}

/** A part of the boot that takes no time: an object, because applications declare thousands of routes. */
export interface Step {
  run(): void
}

/**
 * Loads plugins in order, each after all that the ones before it have registered.
 *
 * An error skips plugins until an `after` or `ready` callback takes it. Each step starts in a tick of its
 * own, so that what a plugin registers synchronously is queued before anything of it is loaded.
 */
export class Loader<Instance extends object> {
  /** Plays the part of a plugin that registers what the user registers outside of any. */
  readonly root: Plugin<Instance>
  /** What the next `after` or `ready` callback is told. */
  error: unknown = null
  /** Set when all is loaded: nothing can be registered any more. */
  isBooted = false

  readonly #server: Instance
  readonly #options: LoaderOptions<Instance>
  readonly #onLoaded: () => void
  /** The plugins that are being loaded, the innermost last: what is registered now belongs to it. */
  readonly #loading: Plugin<Instance>[] = []
  readonly #watchdog = new Watchdog()
  /** Steps at the end of a queue, which the next one may join. */
  #lastSteps: { readonly parent: Plugin<Instance>; readonly steps: Step[] } | null = null
  #isStarted = false
  #isFinishing = false

  constructor(server: Instance, options: LoaderOptions<Instance>, onLoaded: () => void) {
    this.#server = server
    this.#options = options
    this.#onLoaded = onLoaded
    this.root = new Plugin({
      name: 'root',
      func: noop,
      options: {},
      isAfter: false,
      timeout: 0,
      parent: undefined,
      load: this.#loadInNextTick,
    })
    this.#loading.push(this.root)
    this.root.start(server)
  }

  /** The instance that is being loaded. */
  get server(): Instance {
    return this.#loading.at(-1)?.server ?? this.#server
  }

  /** Loads everything, then calls `onLoaded`. */
  start(): void {
    this.#isStarted = true
    // All that is registered in this tick still comes first.
    nextTick(() => {
      if (this.#isFinishing) return
      this.#isFinishing = true
      this.root.finish(undefined, () => {
        this.#loading.pop()
        this.#onLoaded()
      })
    })
  }

  /** Queues a plugin: a function, a promise of one, or a module with one as its default export. */
  add(plugin: unknown, options: unknown, isAfter = false): void {
    const func = assertPlugin<Instance>(isModule(plugin) ? plugin.default : plugin)
    const parent = this.#loading.at(-1)
    if (this.isBooted || parent === undefined) throw new bootErrorCodes.AVV_ERR_ROOT_PLG_BOOTED()
    const name = nameInBoot(func, options)
    if (parent.isLoaded) throw new bootErrorCodes.AVV_ERR_PARENT_PLG_LOADED(name, parent.name)
    const added = new Plugin({
      name,
      func,
      options: options || {},
      isAfter,
      timeout: this.#timeoutInside(parent),
      parent,
      load: this.#loadInNextTick,
    })
    this.#lastSteps = null
    parent.queue.push(added, (error) => {
      if (error) this.error = error
    })
  }

  /** Queues a callback that takes the error of what was registered before it. */
  addAfter(callback: Callback): void {
    const after = (_server: Instance, _options: unknown, done: Done): void => {
      this.takeError(callback, done)
    }
    Object.defineProperty(after, 'name', { value: 'bound _after' })
    this.add(after, {}, true)
  }

  /**
   * Queues a step that takes no time and no error, to run in its turn as an `after` callback would.
   * Neighbours share one place in the queue: applications declare thousands of routes.
   */
  defer(step: Step): void {
    const parent = this.#loading.at(-1) as Plugin<Instance>
    const last = this.#lastSteps
    if (last !== null && last.parent === parent) last.steps.push(step)
    else this.#queueSteps(parent, [step])
  }

  /** Calls back with the error that waits; the one that it passes on waits for the next callback. */
  takeError(callback: Callback, done: Done): void {
    const { error } = this
    this.error = null
    callback(error, (next) => {
      this.error = next
      done(next)
    })
  }

  /** Loads what is registered so far inside the innermost plugin that is being loaded. */
  loadRegistered(): Promise<void> {
    if (!this.#isStarted && !this.isBooted) nextTick(() => this.root.queue.resume())
    const plugin = this.#loading.at(-1)
    if (plugin === undefined) return Promise.resolve()
    return plugin.loadedSoFar((callback) => this.addAfter(callback))
  }

  /** Calls `done` with an error when a step takes longer; the returned function calls that off. */
  watch(deadline: number, name: string, fn: unknown, done: Done): () => void {
    const onTimeout = (): void => {
      done(Object.assign(new bootErrorCodes.AVV_ERR_READY_TIMEOUT(name), { fn }))
    }
    const watch = { deadline, onTimeout }
    this.#watchdog.start(watch)
    return () => this.#watchdog.stop(watch)
  }

  #queueSteps(parent: Plugin<Instance>, steps: Step[]): void {
    this.addAfter((error, done) => {
      if (this.#lastSteps?.steps === steps) this.#lastSteps = null
      for (let i = 0; i < steps.length; i++) steps[i]?.run()
      done(error)
    })
    this.#lastSteps = { parent, steps }
  }

  /** What is inside a plugin runs out of time before the plugin itself does, so that the error names it. */
  #timeoutInside({ timeout, startedAt }: Plugin<Instance>): number {
    if (!(timeout > 0) || startedAt === undefined) return this.#options.timeout
    return timeout - (Date.now() - startedAt) - 3
  }

  readonly #loadInNextTick = (plugin: Plugin<Instance>, done: Done): void => {
    nextTick(() => this.#load(plugin, done))
  }

  #load(plugin: Plugin<Instance>, done: Done): void {
    const { func } = plugin
    if (isPromiseLike(func)) return this.#loadModule(plugin, func, done)
    const finish: Done = (error) => {
      plugin.finish(error, (finalError) => {
        this.#loading.pop()
        done(finalError)
      })
    }
    const { server } = this
    this.#loading.push(plugin)
    if (plugin.isAfter) return this.#execute(plugin, func, server, finish)
    if (this.error) return nextTick(finish)
    let child: Instance
    try {
      child = this.#options.override(server, func, plugin.options)
    } catch (error) {
      return finish(error)
    }
    this.#execute(plugin, func, child, finish)
  }

  #loadModule(plugin: Plugin<Instance>, promise: PromiseLike<unknown>, done: Done): void {
    promise.then((module) => {
      try {
        const { default: main } = module as { default?: unknown }
        plugin.func = assertPlugin(typeof main === 'function' ? main : module)
      } catch (error) {
        return done(error)
      }
      this.#load(plugin, done)
    }, done)
  }

  #execute(
    plugin: Plugin<Instance>,
    func: PluginFunction<Instance>,
    server: Instance,
    finish: Done,
  ): void {
    const { timeout, name } = plugin
    let isSettled = false
    let unwatch = noop
    const done: Done = (error) => {
      if (plugin.isExecuted) return
      plugin.isExecuted = true
      unwatch()
      finish(error)
    }
    const { options } = plugin
    if (typeof options === 'function') {
      plugin.options = callUser(() => (options as Function)(server) as unknown, done)
      if (plugin.isExecuted) return
    }
    const startedAt = plugin.start(server)
    const watch = (): void => {
      if (isSettled || plugin.isExecuted) return
      unwatch = this.watch(startedAt + timeout, name, func, done)
    }
    const result = callUser(() => func(server, plugin.options, done), done)
    if (isPromiseLike(result)) {
      result.then(
        () => {
          isSettled = true
          nextTick(done)
        },
        (error: unknown) => {
          isSettled = true
          nextTick(done, error)
        },
      )
      // An async function without anything to await is settled by then.
      if (timeout > 0) void resolved.then(watch)
    } else if (timeout > 0) {
      watch()
    }
  }
}

function isModule(plugin: unknown): plugin is { default: Function } {
  if (typeof plugin !== 'object' || plugin === null) return false
  return typeof (plugin as { default?: unknown }).default === 'function'
}

function assertPlugin<Instance>(plugin: unknown): PluginFunction<Instance> | PromiseLike<unknown> {
  if (typeof plugin === 'function') return plugin as PluginFunction<Instance>
  if (isPromiseLike(plugin)) return plugin
  const kind = Array.isArray(plugin) ? 'array' : plugin === null ? 'null' : typeof plugin
  throw new bootErrorCodes.AVV_ERR_PLUGIN_NOT_VALID(kind)
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false
  return typeof (value as { then?: unknown }).then === 'function'
}

function noop(): void {}
