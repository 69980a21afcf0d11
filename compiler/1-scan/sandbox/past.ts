/** A part of an object that can be written, as the journal knows it. */
export interface Part {
  readonly key: unknown
  readonly name: string | symbol | undefined
  read(): unknown
}

interface State {
  /** The last call that was made while the part was in this state. */
  readonly until: number
  readonly value: unknown
  /** Whether the application wrote the part then, rather than the scan that goes from branch to branch. */
  readonly isChanged: boolean
}

/**
 * States that objects were in when calls were made with them. Slices run at the end, but a call has
 * to see its arguments as they were.
 */
export class Past {
  readonly #now: () => number
  readonly #states = new WeakMap<object, Map<string | symbol | undefined, State[]>>()
  #latest = 0

  /** `now` is the number of the last call. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** To be called before a part is written, by the application or on the way to another branch. */
  keep(part: Part, isChanged: boolean): void {
    const until = this.#now()
    const key = part.key as object
    let parts = this.#states.get(key)
    const known = parts?.get(part.name)
    // No call has seen the part since its last state was kept.
    if (until === (known?.at(-1)?.until ?? 0)) return
    if (parts === undefined) this.#states.set(key, (parts = new Map()))
    const state = { until, value: part.read(), isChanged }
    if (known === undefined) parts.set(part.name, [state])
    else known.push(state)
    this.#latest = until
  }

  /** Whether anything was written after the call of this number. */
  isAfter(call: number): boolean {
    return this.#latest >= call
  }

  /** Whether the application has written to the object after that call. */
  isChanged(key: object, call: number): boolean {
    const parts = this.#states.get(key)
    if (parts === undefined) return false
    return [...parts.values()].some((states) =>
      states.some(({ until, isChanged }) => isChanged && until >= call),
    )
  }

  /** Whether some part of the object was in another state at that call. */
  has(key: object, call: number): boolean {
    const parts = this.#states.get(key)
    if (parts === undefined) return false
    return [...parts.values()].some((states) => (states.at(-1)?.until ?? 0) >= call)
  }

  /** The state of a part at that call, or `present`. */
  read<T>(key: object, name: string | symbol | undefined, call: number, present: T): T {
    const states = this.#states.get(key)?.get(name)
    const state = states?.find(({ until }) => until >= call)
    return state === undefined ? present : (state.value as T)
  }
}
