interface Watch {
  readonly deadline: number
  readonly onTimeout: () => void
}

/** Rounds of microtasks and ticks without progress after which only I/O or a timer can end the wait. */
const quietRounds = 3

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

  /** Calls `onTimeout` at `deadline` (as `Date.now()`), unless the returned function is called before. */
  watch(deadline: number, onTimeout: () => void): () => void {
    const watch = { deadline, onTimeout }
    this.#pending.add(watch)
    this.#progress()
    return () => {
      if (this.#pending.delete(watch)) this.#progress()
    }
  }

  #progress(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#quiet = 0
    if (this.#isProbing || this.#pending.size === 0) return
    this.#isProbing = true
    this.#probe()
  }

  #probe(): void {
    // The tick comes after every microtask that follows from those that wait now.
    queueMicrotask(() => {
      process.nextTick(() => {
        if (this.#quiet++ < quietRounds && this.#pending.size > 0) return this.#probe()
        this.#isProbing = false
        this.#arm()
      })
    })
  }

  #arm(): void {
    let first: Watch | undefined
    for (const watch of this.#pending) {
      if (first === undefined || watch.deadline < first.deadline) first = watch
    }
    if (first === undefined) return
    const { deadline, onTimeout } = first
    this.#timer = setTimeout(() => {
      this.#pending.delete(first)
      this.#progress()
      onTimeout()
    }, deadline - Date.now())
  }
}
