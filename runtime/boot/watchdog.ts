import { nextTick } from '../platform/index.ts'

/** Something that may take until `deadline` (as `Date.now()`). */
export interface Watch {
  readonly deadline: number
  readonly onTimeout: () => void
}

/** Rounds of microtasks and ticks without progress after which only I/O or a timer can end the wait. */
const quietRounds = 3

/** Its reactions are the cheapest microtasks that there are. */
export const resolved: Promise<void> = Promise.resolve()

/**
 * Tells when something takes longer than it may, with at most one timer.
 *
 * The timer is set only when everything that could go on by itself has: most plugins are done before
 * that, timers cost a cold start, and some platforms forbid them while a module is evaluated.
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

  /** The tick comes after every microtask that follows from those that wait now. */
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
