import { nextTick } from '../platform/index.ts'
import { SerialQueue, type Callback, type Done } from './queue.ts'

/** A function with two parameters, which may return a promise, or with three. */
export type PluginFunction<Instance> = (instance: Instance, options: unknown, done: Done) => unknown

/** Adds a callback after everything that is registered so far. */
type AddAfter = (callback: Callback) => void

interface Waiter {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** A registered plugin or `after` callback, with the queue of plugins that are registered inside it. */
export class Plugin<Instance> {
  readonly name: string
  readonly isAfter: boolean
  /** In milliseconds. 0 or less for none. */
  readonly timeout: number
  readonly queue: SerialQueue<Plugin<Instance>>
  /** The plugins inside it whose function was called, in this order. */
  readonly children: Plugin<Instance>[] = []
  /** A promise, such as that of `import()`, is awaited first. */
  func: PluginFunction<Instance> | PromiseLike<unknown>
  options: unknown
  /** The instance that its function was called with. */
  server: Instance | undefined
  /** True if its function has ended. The plugins inside it may still be loading. */
  isExecuted = false
  startedAt: number | undefined
  loadedAt: number | undefined

  readonly #parent: Plugin<Instance> | undefined
  #waiter: Waiter | undefined
  #onStart: (() => void) | undefined

  constructor(init: {
    name: string
    func: PluginFunction<Instance> | PromiseLike<unknown>
    options: unknown
    isAfter: boolean
    timeout: number
    parent: Plugin<Instance> | undefined
    load: (plugin: Plugin<Instance>, done: Done) => void
  }) {
    this.name = init.name
    this.func = init.func
    this.options = init.options
    this.isAfter = init.isAfter
    this.timeout = init.timeout
    this.#parent = init.parent
    this.queue = new SerialQueue(init.load)
  }

  /**
   * The time by which its function has to end, as `Date.now()` returns it. If the function of its parent waits for it, that is 3 ms before
   * the parent's, so that the error names the inner one.
   */
  get deadline(): number {
    const { startedAt = 0, timeout } = this
    const parent = this.#parent
    const isAwaited = parent !== undefined && parent.timeout > 0 && !parent.isExecuted
    return Math.min(startedAt + timeout, isAwaited ? parent.deadline - 3 : Infinity)
  }

  get isLoaded(): boolean {
    return this.loadedAt !== undefined
  }

  /** Records the instance and the time before its function is called. */
  start(server: Instance): void {
    this.server = server
    this.startedAt = Date.now()
    this.#parent?.children.push(this)
    this.#onStart?.()
  }

  /**
   * Resolves when everything that is registered inside it so far is loaded, or rejects with its error. Resolves at once while an earlier
   * call is pending.
   */
  loadedSoFar(addAfter: AddAfter): Promise<void> {
    if (this.isLoaded || this.#waiter !== undefined) return Promise.resolve()
    const waiter = createWaiter()
    this.#waiter = waiter
    const run = (): void => {
      addAfter((error, done) => {
        // Later plugins wait for the next `after`, or for the end of this plugin.
        this.queue.pause()
        this.#settle(error)
        nextTick(done, error)
      })
      this.queue.resume()
    }
    if (this.server === undefined) this.#onStart = run
    else run()
    return waiter.promise
  }

  /** Loads the plugins inside it, then calls `done`. With an error, calls it at once. */
  finish(error: unknown, done: Done): void {
    const load = (): void => {
      if (this.isLoaded) return
      this.loadedAt = Date.now()
      done(error)
    }
    if (error) {
      this.#settle(error)
      load()
      return
    }
    const check = (): void => {
      if (!this.queue.isIdle) {
        this.queue.onDrain = (): void => {
          this.queue.onDrain = noop
          queueMicrotask(check)
        }
      } else if (this.#waiter === undefined) {
        load()
      } else {
        // The code after `await` may register more plugins.
        const checkAgain = (): void => queueMicrotask(check)
        const { promise } = this.#waiter
        this.#settle(undefined)
        promise.then(checkAgain, checkAgain)
      }
    }
    queueMicrotask(check)
    this.queue.resume()
  }

  #settle(error: unknown): void {
    if (error) this.#waiter?.reject(error)
    else this.#waiter?.resolve()
    this.#waiter = undefined
  }
}

function createWaiter(): Waiter {
  let resolve!: () => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

function noop(): void {}
