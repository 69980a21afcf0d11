/** Earlier states of objects: deferred calls run at the end of the scan, with their arguments as they were at the time of the call. */
/** A part of an object that can be written, as the journal knows it. */
interface Part {
  readonly key: unknown
  readonly name: string | symbol | undefined
  read(): unknown
}

interface State {
  /** Number of the last deferred call that was made while the part was in this state. */
  readonly until: number
  readonly value: unknown
  /** True if the application wrote the part then, rather than the scan on its way to another branch. */
  readonly isByApplication: boolean
}

export class ObjectHistory {
  readonly #now: () => number
  readonly #states = new WeakMap<object, Map<string | symbol | undefined, State[]>>()
  #latest = 0

  /** @param now returns the number of the last deferred call */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Must be called before a part is written, by the application or on the way to another branch. */
  record(part: Part, isByApplication: boolean): void {
    const until = this.#now()
    const key = part.key as object
    let parts = this.#states.get(key)
    const known = parts?.get(part.name)
    // No call has seen the part since its last state was recorded.
    if (until === (known?.at(-1)?.until ?? 0)) return
    if (parts === undefined) this.#states.set(key, (parts = new Map()))
    const state = { until, value: part.read(), isByApplication }
    if (known === undefined) parts.set(part.name, [state])
    else known.push(state)
    this.#latest = until
  }

  /** Returns whether anything was written after this call. */
  hasWritesAfter(call: number): boolean {
    return this.#latest >= call
  }

  /** Returns whether the application has written to the object after this call. */
  isChangedAfter(key: object, call: number): boolean {
    const parts = this.#states.get(key)
    if (parts === undefined) return false
    return [...parts.values()].some((states) =>
      states.some(({ until, isByApplication }) => isByApplication && until >= call),
    )
  }

  /** Returns whether some part of the object was in another state at this call. */
  wasDifferent(key: object, call: number): boolean {
    const parts = this.#states.get(key)
    if (parts === undefined) return false
    return [...parts.values()].some((states) => (states.at(-1)?.until ?? 0) >= call)
  }

  /** Returns the state of a part at this call; `present` if it hasn't changed since. */
  read<T>(key: object, name: string | symbol | undefined, call: number, present: T): T {
    const states = this.#states.get(key)?.get(name)
    const state = states?.find(({ until }) => until >= call)
    return state === undefined ? present : (state.value as T)
  }
}
