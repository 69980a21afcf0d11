/** A part of a program that was gone through before. */
interface Entry {
  /** It is as it was, and so is all that it leads to, but for what has to be looked at again. */
  stands: boolean
  /** Something in it was written since it was gone through. */
  isStale: boolean
  isOpen: boolean
  /** The round that it was last gone through in. */
  round: number
  depth: number
  /** The outermost part that this one leads back to while that one is gone through: then this is not all of it. */
  back: Entry | undefined
  /** Goes through it, from a position on; gives the position to go on from. `undefined` for what stands by itself. */
  look: ((from: number) => number) | undefined
  position: number
  /** The parts that lead here. */
  readonly users: Set<Entry>
  /** The loose parts that it leads to: whoever relies on this one has to look at those. */
  readonly loose: Set<Entry>
  /** Of a loose part: what it has led back to, whose loose parts are not among its own so far. */
  readonly outer: Set<Entry>
}

/**
 * What has been gone through of a program that grows, so that each question costs what is new since
 * the last one. A part stands until something that it was made from is written (`changed`); what
 * gives no notice, such as the variables of a function, is _loose_ and looked at once in each round.
 */
export class Memory {
  readonly #entries = new Map<string, Entry>()
  readonly #readers = new WeakMap<object, Set<Entry>>()
  readonly #open: Entry[] = []
  #round = 0

  begin(): void {
    this.#round++
  }

  /** A part that stands until it changes. */
  part(name: string, make: () => void): void {
    const entry = this.#entry(name)
    if (entry.isOpen) {
      this.#leadBack(entry)
    } else if (entry.stands) {
      if (entry.round !== this.#round) this.#lookAtLoose(entry)
    } else if (entry.round === this.#round && entry.back?.isOpen === true) {
      this.#leadBack(entry.back)
    } else {
      entry.loose.clear()
      this.#goThrough(entry, make)
      entry.stands = entry.back === undefined && !entry.isStale
    }
    const user = this.#open.at(-1)
    if (user === undefined) return
    entry.users.add(user)
    for (const one of entry.loose) user.loose.add(one)
  }

  /** A part that is looked at in each round, from where the last one came to, or from 0 when it has changed. */
  loosePart(name: string, look: (from: number) => number): void {
    const entry = this.#entry(name)
    entry.look = look
    this.#look(entry)
    this.#open.at(-1)?.loose.add(entry)
  }

  /** The part that is being gone through is made from this object. */
  reads(key: object): void {
    const entry = this.#open.at(-1)
    if (entry === undefined) return
    const readers = this.#readers.get(key)
    if (readers === undefined) this.#readers.set(key, new Set([entry]))
    else readers.add(entry)
  }

  /** To be called when an object is written. */
  changed(key: object): void {
    const readers = this.#readers.get(key)
    if (readers === undefined) return
    this.#readers.delete(key)
    const stale = [...readers]
    for (let entry = stale.pop(); entry !== undefined; entry = stale.pop()) {
      if (entry.isStale) continue
      entry.isStale = true
      entry.stands = false
      // Whoever relies on a loose part looks at it anyway.
      if (entry.look !== undefined) continue
      stale.push(...entry.users)
      entry.users.clear()
    }
  }

  #look(entry: Entry): void {
    const { look } = entry
    if (look === undefined || entry.isOpen || entry.round === this.#round) return
    const from = entry.isStale || !takeOver(entry) ? 0 : entry.position
    if (from === 0) {
      entry.loose.clear()
      entry.outer.clear()
    }
    this.#goThrough(entry, () => (entry.position = look(from)))
    this.#lookAtLoose(entry)
  }

  #lookAtLoose(entry: Entry): void {
    entry.round = this.#round
    for (const one of entry.loose) this.#look(one)
  }

  #goThrough(entry: Entry, make: () => void): void {
    const user = this.#open.at(-1)
    entry.round = this.#round
    entry.isStale = false
    entry.isOpen = true
    entry.back = undefined
    entry.depth = this.#open.push(entry)
    try {
      make()
    } finally {
      entry.isOpen = false
      this.#open.pop()
    }
    const { back } = entry
    if (back === undefined) return
    if (entry.look !== undefined) entry.outer.add(back)
    else if (back !== user) this.#leadBack(back)
  }

  /** What is being gone through is complete no sooner than that part, which it leads to. */
  #leadBack(outer: Entry): void {
    const entry = this.#open.at(-1)
    if (entry === undefined || entry === outer) return
    if (entry.back === undefined || entry.back.depth > outer.depth) entry.back = outer
  }

  #entry(name: string): Entry {
    let entry = this.#entries.get(name)
    if (entry === undefined) {
      entry = {
        stands: false,
        isStale: false,
        isOpen: false,
        round: 0,
        depth: 0,
        back: undefined,
        look: undefined,
        position: 0,
        users: new Set(),
        loose: new Set(),
        outer: new Set(),
      }
      this.#entries.set(name, entry)
    }
    return entry
  }
}

/** Takes over the loose parts of what a loose part has led back to; whether all of them are known. */
function takeOver({ outer, loose }: Entry): boolean {
  for (const one of outer) {
    if (one.isOpen) continue
    outer.delete(one)
    if (one.stands) for (const inner of one.loose) loose.add(inner)
    else if (one.isStale || one.back === undefined) return false
    else outer.add(one.back)
  }
  return true
}
