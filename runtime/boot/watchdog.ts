import { nextTick } from '../platform/index.ts'

/** A plugin or callback with a deadline, in the format of `Date.now()`. */
export interface Watch {
  readonly deadline: number
  readonly onTimeout: () => void
}

/** After so many rounds of microtasks and ticks without progress, the start probably waits for I/O or a timer. */
const quietRounds = 3

export const resolved: Promise<void> = Promise.resolve()

/**
 * Calls `onTimeout` of plugins that take too long, with at most one timer.
 *
 * The timer is only set when microtasks and ticks make no more progress. Most plugins are loaded by then, and some platforms don't allow
 * timers while a module is evaluated.
 */
export class Watchdog {
  readonly #pending = new Set<Watch>()
  #timer: NodeJS.Timeout | undefined
  #isProbing = false
  #quiet = 0

  start(watch: Watch): void {
    this.#pending.add(watch)
    this.#progress()
  }

  stop(watch: Watch): void {
    if (this.#pending.delete(watch)) this.#progress()
  }

  #progress(): void {
    this.#quiet = 0
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
    if (this.#isProbing || this.#pending.size === 0) return
    this.#isProbing = true
    void resolved.then(this.#afterMicrotasks)
  }

  /** A tick that a microtask queues runs after all other microtasks. */
  readonly #afterMicrotasks = (): void => nextTick(this.#probe)

  readonly #probe = (): void => {
    if (this.#pending.size > 0 && this.#quiet++ < quietRounds) {
      void resolved.then(this.#afterMicrotasks)
    } else {
      this.#isProbing = false
      this.#arm()
    }
  }

  #arm(): void {
    let first: Watch | undefined
    for (const watch of this.#pending) {
      if (first === undefined || watch.deadline < first.deadline) first = watch
    }
    if (first === undefined) return
    const watch = first
    const left = watch.deadline - Date.now()
    if (left > 0) this.#timer = setTimeout(() => this.#expire(watch), left)
    else this.#expire(watch)
  }

  #expire(watch: Watch): void {
    this.stop(watch)
    watch.onTimeout()
  }
}
