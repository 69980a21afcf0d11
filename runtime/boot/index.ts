import { bootErrorCodes } from '../errors/index.ts'
import { nextTick } from '../platform/index.ts'
import { callUser, withInstance, withInstanceOnly } from './user-callbacks.ts'
import { Loader, type LoaderOptions, type Step } from './loader.ts'
import { SerialQueue, type Callback, type Done } from './queue.ts'
import { formatTree } from './format-tree.ts'

export type { PluginFunction } from './plugin.ts'
export type { Done, LoaderOptions as BootOptions }

/** The methods that `expose` adds to the root instance. */
interface BootMethods<Instance> {
  register(this: Instance, plugin: unknown, options?: unknown): Instance
  /** Without a callback, resolves when everything that is registered so far is loaded. */
  after(this: Instance, callback?: Function): Instance | Promise<void>
  /** Without a callback, resolves with the instance that is being loaded. */
  ready(this: Instance, callback?: Function): Promise<Instance> | undefined
  onClose(this: Instance, callback: Function): Instance
  close(this: Instance, callback?: Function): Instance | Promise<void>
}

/**
 * `preReady`: all plugins are loaded. If a listener throws, the start fails. `start`: the callbacks of `ready` have run. `close`: the
 * callbacks of `onClose` and `close` have run.
 */
type BootEvent = 'preReady' | 'start' | 'close'

/** Loads plugins, and runs the callbacks of `ready` and `close`, like avvio 8, or like avvio 9 with the options of Fastify 5. */
export class Boot<Instance extends object> {
  readonly #server: Instance
  readonly #timeout: number
  readonly #loader: Loader<Instance>
  readonly #readyQueue = new SerialQueue<(done: Done) => void>(run)
  readonly #closeQueue = new SerialQueue<(done: Done) => void>(run)
  /** By event, until it was emitted. */
  readonly #listeners = new Map<BootEvent, (() => void)[]>([
    ['preReady', []],
    ['start', []],
    ['close', []],
  ])
  #hidesThen = false

  constructor(server: Instance, options: LoaderOptions<Instance>) {
    this.#server = server
    this.#timeout = options.timeout
    this.#loader = new Loader(server, options, () => this.#onLoaded())
    this.#readyQueue.onDrain = (): void => this.#emit('start')
    this.#closeQueue.onDrain = (): void => this.#emit('close')
  }

  /** Calls `listener` on the event. Each event is emitted once. */
  once(event: BootEvent, listener: () => void): void {
    this.#listeners.get(event)?.push(listener)
  }

  /** Runs a step in the order of registration, as `after` would. It must be fast and not throw. */
  defer(step: Step): void {
    this.#loader.defer(step)
  }

  /** Formats the loaded plugins and their load times as a tree. */
  prettyPrint(): string {
    return formatTree(this.#loader.root)
  }

  /** Adds `register`, `after`, `ready`, `onClose`, `close` and `then` to the root instance. */
  expose(server: Instance): void {
    const methods: BootMethods<Instance> = {
      register: method((instance, plugin, options) => {
        this.#loader.add(plugin, options)
        return instance
      }),
      after: method((instance, callback) => {
        if (typeof callback !== 'function') return this.#loader.loadRegistered()
        this.#loader.addAfter(withInstance(callback, instance))
        return instance
      }),
      ready: method((instance, callback) => {
        if (!callback) return this.#readyPromise()
        assertCallback('ready', callback)
        this.#ready(withInstance(callback, instance), callback.name)
        return undefined
      }),
      onClose: method((instance, callback) => {
        assertCallback('onClose', callback)
        this.#closeQueue.unshift(withInstanceOnly(callback, instance), (error) => {
          if (error) this.#loader.error = error
        })
        return instance
      }),
      close: method((instance, callback) => {
        if (!callback) return this.#closePromise()
        assertCallback('close', callback)
        this.#close(withInstance(callback, instance))
        return instance
      }),
    }
    Object.assign(server, methods)
    // `await instance.register(plugin)` loads the plugin.
    // oxlint-disable-next-line unicorn/no-thenable
    Object.defineProperty(server, 'then', { get: () => this.#then() })
  }

  #onLoaded(): void {
    try {
      this.#emit('preReady')
      this.#loader.isBooted = true
    } catch (error) {
      this.#loader.error ||= error
      // No callback of `ready` will get it.
      if (this.#readyQueue.length === 0) throw error
    }
    this.#readyQueue.resume()
  }

  #emit(event: BootEvent): void {
    const listeners = this.#listeners.get(event)
    this.#listeners.delete(event)
    listeners?.forEach((listener) => listener())
  }

  #ready(callback: Callback, name: string): void {
    this.#readyQueue.push((done) => {
      let isDone = false
      let unwatch: (() => void) | undefined
      this.#loader.takeError((error, next) => {
        const finish: Done = (nextError) => {
          if (isDone) return
          isDone = true
          unwatch?.()
          next(nextError)
        }
        const deadline = Date.now() + this.#timeout
        try {
          callUser(() => callback(error, finish), finish)
        } finally {
          if (!isDone && this.#timeout > 0) {
            unwatch = this.#loader.watch(deadline, name, callback, finish)
          }
        }
      }, done)
    })
    queueMicrotask(() => this.#loader.start())
  }

  #readyPromise(): Promise<Instance> {
    const { server } = this.#loader
    return new Promise((resolve, reject) => {
      this.#readyQueue.push((done) => {
        this.#loader.takeError((error, next) => {
          if (error) reject(error)
          else resolve(server)
          nextTick(next)
        }, done)
      })
      this.#loader.start()
    })
  }

  #close(callback: Callback): void {
    this.#readyQueue.push((done) => {
      // As in avvio, callbacks of `close` don't get errors of the start.
      this.#loader.error = null
      this.#closeQueue.push((closed) => callback(this.#loader.error, closed))
      nextTick(() => this.#closeQueue.resume())
      nextTick(done)
    })
    queueMicrotask(() => this.#loader.start())
  }

  #closePromise(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#close((error, done) => {
        if (error) reject(error)
        else resolve()
        nextTick(done)
      })
    })
  }

  #then(): unknown {
    if (this.#loader.isBooted) return undefined
    if (this.#hidesThen) {
      this.#hidesThen = false
      return undefined
    }
    return (resolve: (server: Instance) => unknown, reject: (error: unknown) => unknown) =>
      this.#loader.loadRegistered().then(() => {
        // Resolving a promise with the instance reads `then` again, which must be undefined.
        this.#hidesThen = true
        return resolve(this.#server)
      }, reject)
  }
}

/** Creates a method that gets `this` as its first argument. */
function method<Instance, Args extends unknown[], Result>(
  body: (instance: Instance, ...args: Args) => Result,
): (this: Instance, ...args: Args) => Result {
  return function (this: Instance, ...args: Args): Result {
    return body(this, ...args)
  }
}

function assertCallback(name: string, value: unknown): asserts value is Function {
  if (typeof value === 'function') return
  throw new bootErrorCodes.AVV_ERR_CALLBACK_NOT_FN(name, typeof value)
}

function run(task: (done: Done) => void, done: Done): void {
  task(done)
}
