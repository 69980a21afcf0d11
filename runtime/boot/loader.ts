import { bootErrorCodes } from '../errors/index.ts'
import { nextTick } from '../platform/index.ts'
import { callUser } from './user-callbacks.ts'
import { nameInBoot, type TimeoutCode } from './plugin-meta.ts'
import { Plugin, type PluginFunction } from './plugin.ts'
import type { Callback, Done } from './queue.ts'
import { resolved, Watchdog } from './watchdog.ts'

export interface LoaderOptions<Instance> {
  /** The timeout of plugins and of `after` and `ready` callbacks, in milliseconds. 0 for none. */
  readonly timeout: number
  /** True as in avvio 9, which Fastify 5 uses: a plugin without callback and promise is loaded once it returns. Otherwise its timeout ends it. */
  readonly endsShortPlugins?: boolean
  /** True if what follows an `after` or `ready` callback comes in the next tick. */
  readonly endsInNextTick?: boolean
  /** The code of the error for a plugin that is late. */
  readonly timeoutCode?: TimeoutCode
  /** Creates the instance that a plugin is called with. If it throws, the plugin fails. */
  readonly override: (
    parent: Instance,
    plugin: PluginFunction<Instance>,
    options: unknown,
  ) => Instance
}

/** A synchronous step. It's an object instead of a function, because applications declare thousands of routes. */
export interface Step {
  run(): void
}

/**
 * Loads plugins in order: each one after everything that the ones before it have registered.
 *
 * After an error, plugins are skipped until an `after` or `ready` callback takes it. Each plugin is loaded in a tick of its own, so that
 * everything that its parent registers synchronously is queued first.
 */
export class Loader<Instance extends object> {
  /** A plugin that stands for the root instance. */
  readonly root: Plugin<Instance>
  /** The error for the next `after` or `ready` callback. */
  error: unknown = null
  /** True if everything is loaded, and nothing can be registered any more. */
  isBooted = false

  readonly #server: Instance
  readonly #options: LoaderOptions<Instance>
  readonly #onLoaded: () => void
  /** The plugins that are being loaded, the innermost last. That one is the parent of newly registered plugins. */
  readonly #loading: Plugin<Instance>[] = []
  readonly #watchdog = new Watchdog()
  /** The steps at the end of the queue, to which the next step is added. */
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
    // Everything that is registered in this tick comes first.
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

  /** Queues a callback that takes the error of what was registered before it. Errors contain avvio's name for it. */
  addAfter(callback: Callback): void {
    const after = (_server: Instance, _options: unknown, done: Done): void => {
      this.takeError(callback, done)
    }
    Object.defineProperty(after, 'name', { value: 'bound _after' })
    this.add(after, {}, true)
  }

  /** Queues a synchronous step. Consecutive steps share one entry of the queue: applications declare thousands of routes. */
  defer(step: Step): void {
    const parent = this.#loading.at(-1) as Plugin<Instance>
    const last = this.#lastSteps
    if (last !== null && last.parent === parent) last.steps.push(step)
    else this.#queueSteps(parent, [step])
  }

  /** Calls back with the current error. The error that the callback passes on becomes the current one. */
  takeError(callback: Callback, done: Done): void {
    const { error } = this
    this.error = null
    callback(error, (next) => {
      this.error = next
      if (this.#options.endsInNextTick) nextTick(done, next)
      else done(next)
    })
  }

  /** Loads everything that is registered so far in the innermost plugin. */
  loadRegistered(): Promise<void> {
    if (!this.#isStarted && !this.isBooted) nextTick(() => this.root.queue.resume())
    const plugin = this.#loading.at(-1)
    if (plugin === undefined) return Promise.resolve()
    return plugin.loadedSoFar((callback) => this.addAfter(callback))
  }

  /** Calls `done` with an error at the deadline. Returns a function that cancels this. */
  watch(
    deadline: number,
    name: string,
    fn: unknown,
    done: Done,
    code: TimeoutCode = 'AVV_ERR_READY_TIMEOUT',
  ): () => void {
    const onTimeout = (): void => {
      done(Object.assign(new bootErrorCodes[code](name), { fn }))
    }
    const watch = { deadline, onTimeout }
    this.#watchdog.start(watch)
    return () => this.#watchdog.stop(watch)
  }

  #queueSteps(parent: Plugin<Instance>, steps: Step[]): void {
    this.addAfter((error, done) => {
      if (this.#lastSteps?.steps === steps) this.#lastSteps = null
      let failure = error
      try {
        for (let i = 0; i < steps.length; i++) steps[i]?.run()
      } catch (thrown) {
        failure ||= thrown
      }
      done(failure)
    })
    this.#lastSteps = { parent, steps }
  }

  /** Returns the timeout inside a plugin. As in avvio, it ends 3 ms before the plugin's own, so that the error names the inner one. */
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
    plugin.start(server)
    const watch = (): void => {
      if (isSettled || plugin.isExecuted) return
      unwatch = this.watch(plugin.deadline, name, func, done, this.#options.timeoutCode)
    }
    let result: unknown
    try {
      result = callUser(() => func(server, plugin.options, done), done)
    } catch (error) {
      // Where the process survives it, the timeout ends the start.
      if (timeout > 0) watch()
      throw error
    }
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
      // An async function that awaits nothing is settled by then.
      if (timeout > 0) void resolved.then(watch)
    } else if (this.#options.endsShortPlugins && func.length < 3) {
      done()
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
