/** Earlier states of objects: deferred calls run later, with their arguments as they were at the time of the call. */

/** Something that can be written, as the journal knows it. */
interface Slot {
  readonly key: unknown
  read(): unknown
}

interface State {
  /** Number of the last deferred call that was made while the object was in this state. */
  readonly until: number
  readonly value: unknown
  /** True if the application wrote to the object then, rather than the scan on its way to another branch. */
  isByApplication: boolean
}

export class ObjectHistory {
  readonly #now: () => number
  readonly #states = new WeakMap<object, State[]>()
  #latest = 0

  /** @param now returns the number of the last deferred call */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Must be called before an object is written to, by the application or on the way to another branch. */
  record(slot: Slot, isByApplication: boolean): void {
    const until = this.#now()
    const states = this.#states.get(slot.key as object) ?? []
    const last = states.at(-1)
    if (until === (last?.until ?? 0)) {
      // No call has seen the object since its last state was recorded.
      if (last !== undefined) last.isByApplication ||= isByApplication
      return
    }
    states.push({ until, value: slot.read(), isByApplication })
    this.#states.set(slot.key as object, states)
    this.#latest = until
  }

  /** Returns whether anything was written after this call. */
  hasWritesAfter(call: number): boolean {
    return this.#latest >= call
  }

  /** Returns whether the application has written to the object after this call. */
  isChangedAfter(key: object, call: number): boolean {
    const states = this.#states.get(key) ?? []
    return states.some(({ until, isByApplication }) => isByApplication && until >= call)
  }

  /** Returns whether the object was in another state at this call. */
  wasDifferent(key: object, call: number): boolean {
    return (this.#states.get(key)?.at(-1)?.until ?? 0) >= call
  }

  /** Returns the state of an object at this call; `present` if it hasn't changed since. */
  read<T>(key: object, call: number, present: T): T {
    const state = this.#states.get(key)?.find(({ until }) => until >= call)
    return state === undefined ? present : (state.value as T)
  }
}
