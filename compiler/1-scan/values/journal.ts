import { mergeOrder } from './order.ts'
import { absent, choice, latestNumber, unknown } from './index.ts'
import type {
  ArrayValue,
  ChoiceKey,
  Collection,
  Member,
  ObjectValue,
  Unknown,
  Value,
} from './index.ts'
import type { Binding } from './scope.ts'
import type { Node } from '../project.ts'

/** Names the slot of an object's base. No property can have this name: symbols are compared by identity. */
export const kBase: unique symbol = Symbol('base')

/** One thing that can be written: its state can be read, restored and joined with another one. */
interface Slot {
  readonly key: unknown
  readonly name: string | symbol | undefined
  readonly isVariable?: boolean
  read(): unknown
  write(state: unknown): void
  join(states: readonly unknown[], at: Node, key: ChoiceKey): unknown
  /** The state when nobody knows what was written. */
  spoil(state: unknown, why: Unknown): unknown
}

type Writes = Map<unknown, Map<string | symbol | undefined, { slot: Slot; before: unknown }>>

type Members = Map<string | symbol, Member>

interface WithMembers {
  readonly members: Members
}

/**
 * Every write of the interpreter goes through here, so that the branches of a condition that only
 * the running application knows can each start from the same state, and be joined afterwards.
 */
export class Journal {
  readonly #open: Writes[] = []
  readonly #watches = new Set<Map<unknown, Map<Slot['name'], Slot>>>()
  readonly #past: { keep(slot: Slot, isChanged: boolean): void }

  /** `past` hears of each write to an object before it happens. */
  constructor(past: { keep(slot: Slot, isChanged: boolean): void }) {
    this.#past = past
  }

  setBinding(binding: Binding, value: Value): void {
    this.#note(bindingSlot(binding))
    binding.value = value
  }

  setMember(owner: WithMembers, name: string | symbol, member: Member): void {
    this.#note(membersSlot(owner))
    owner.members.set(name, member)
  }

  deleteMember(owner: WithMembers, name: string | symbol): void {
    this.#note(membersSlot(owner))
    owner.members.delete(name)
  }

  setBase(owner: ObjectValue, base: Value | undefined): void {
    this.#note(baseSlot(owner))
    owner.base = base
  }

  setElements(array: ArrayValue, elements: Value[]): void {
    this.#note(elementsSlot(array))
    array.elements = elements
  }

  /** The elements are not all known; what is there stays. */
  setDoubt(array: ArrayValue, why: Unknown): void {
    if (array.doubt !== undefined) return
    this.#note(elementsSlot(array))
    array.doubt = why
  }

  /** The same of a map or a set. */
  setEntriesDoubt(collection: Collection, why: Unknown): void {
    if (collection.doubt !== undefined) return
    this.#note(entriesSlot(collection))
    collection.doubt = why
  }

  setEntries(collection: Collection, entries: [Value, Value][]): void {
    this.#note(entriesSlot(collection))
    collection.entries = entries
  }

  /**
   * Runs each branch from the present state, then joins what they wrote. A branch that says it was
   * `dropped` (it threw) leaves nothing behind.
   */
  branch(branches: readonly (() => 'kept' | 'dropped')[], at: Node, key: ChoiceKey): void {
    const before: Writes = new Map()
    const outcomes: (Map<Slot, unknown> | undefined)[] = []
    for (const run of branches) {
      const writes: Writes = new Map()
      this.#open.push(writes)
      let end: 'kept' | 'dropped'
      try {
        end = run()
      } finally {
        this.#open.pop()
      }
      const after = new Map<Slot, unknown>()
      for (const { slot, before: state } of entriesOf(writes)) {
        const known = find(before, slot) ?? remember(before, slot, state)
        after.set(known.slot, slot.read())
        this.#keep(slot, false)
        slot.write(state)
      }
      outcomes.push(end === 'kept' ? after : undefined)
    }
    const kept = outcomes.find((after) => after !== undefined)
    if (kept === undefined) return
    for (const { slot, before: state } of entriesOf(before)) {
      const states = outcomes.map((outcome = kept) =>
        outcome.has(slot) ? outcome.get(slot) : state,
      )
      this.#note(slot, false)
      const [first] = states
      slot.write(states.every((one) => one === first) ? first : slot.join(states, at, key))
    }
  }

  /**
   * Runs something that may run any number of times: what it writes is not known afterwards.
   */
  repeat<T>(run: () => T, why: Unknown): T {
    const writes = this.watch()
    try {
      return run()
    } finally {
      writes.stop()
      writes.spoil(why)
    }
  }

  /**
   * Takes down what is written from here to `stop`; `spoil` says that nobody knows what that was, of all of it or of
   * variables alone. Objects that were made meanwhile stay as they are: what leads to them from elsewhere is not known any
   * more.
   */
  watch(): { stop(): void; spoil(why: Unknown, which?: 'all' | 'variables'): void } {
    const written = new Map<unknown, Map<Slot['name'], Slot>>()
    const latest = latestNumber()
    this.#watches.add(written)
    return {
      stop: () => void this.#watches.delete(written),
      spoil: (why, which = 'all') => {
        for (const slot of [...written.values()].flatMap((names) => [...names.values()])) {
          const { number = 0 } = slot.key as { readonly number?: number }
          if (number > latest || (which === 'variables' && slot.isVariable !== true)) continue
          this.#note(slot)
          slot.write(slot.spoil(slot.read(), why))
        }
      },
    }
  }

  /** Runs something that does not belong to the innermost conditions: only the first `depth` keep a record of it. */
  outside(depth: number, run: () => void): void {
    const inner = this.#open.splice(depth)
    try {
      run()
    } finally {
      this.#open.push(...inner)
    }
  }

  /** Runs something whose writes stay, whatever it is run under: a module is loaded once for all branches. */
  apart(run: () => void): void {
    const watches = [...this.#watches]
    this.#watches.clear()
    try {
      this.outside(0, run)
    } finally {
      for (const one of watches) this.#watches.add(one)
    }
  }

  #keep(slot: Slot, isChanged: boolean): void {
    if (slot.isVariable !== true) this.#past.keep(slot, isChanged)
  }

  #note(slot: Slot, isChanged = true): void {
    this.#keep(slot, isChanged)
    for (const written of this.#watches) {
      const names = written.get(slot.key) ?? new Map<Slot['name'], Slot>()
      written.set(slot.key, names.set(slot.name, slot))
    }
    const writes = this.#open.at(-1)
    if (writes !== undefined && find(writes, slot) === undefined) {
      remember(writes, slot, slot.read())
    }
  }
}

function find(writes: Writes, slot: Slot): { slot: Slot; before: unknown } | undefined {
  return writes.get(slot.key)?.get(slot.name)
}

function remember(writes: Writes, slot: Slot, before: unknown): { slot: Slot; before: unknown } {
  let names = writes.get(slot.key)
  if (names === undefined) writes.set(slot.key, (names = new Map()))
  const entry = { slot, before }
  names.set(slot.name, entry)
  return entry
}

function* entriesOf(writes: Writes): Iterable<{ slot: Slot; before: unknown }> {
  for (const names of writes.values()) yield* names.values()
}

function bindingSlot(binding: Binding): Slot {
  return {
    key: binding,
    name: undefined,
    isVariable: true,
    read: () => binding.value,
    write: (state) => {
      binding.value = state as Value | undefined
    },
    join: (states, at, key) => joinValues(states as (Value | undefined)[], at, key),
    spoil: (_, why) => why,
  }
}

/** All members together, so that their order survives. */
function membersSlot(owner: WithMembers): Slot {
  return {
    key: owner,
    name: undefined,
    read: () => new Map(owner.members),
    write: (state) => {
      owner.members.clear()
      for (const [name, member] of state as Members) owner.members.set(name, member)
    },
    join: (states, at, key) => {
      const all = states as readonly Members[]
      const joined: Members = new Map()
      for (const name of mergeOrder(all.map((members) => [...members.keys()]))) {
        const found = all.map((members) => members.get(name))
        const [first] = found
        const member = found.find((one) => one !== undefined)
        if (found.every((one) => one === first) || member === undefined) {
          if (first !== undefined) joined.set(name, first)
          continue
        }
        const values = found.map((one) => one?.value ?? absent)
        joined.set(name, { value: choice(values, at, key), at: member.at, hidden: member.hidden })
      }
      return joined
    },
    spoil: (state, why) =>
      new Map([...(state as Members)].map(([name, { at }]) => [name, { value: why, at }])),
  }
}

function baseSlot(owner: ObjectValue): Slot {
  return {
    key: owner,
    name: kBase,
    read: () => owner.base,
    write: (state) => {
      owner.base = state as Value | undefined
    },
    join: (states, at, key) => {
      const bases = states as (Value | undefined)[]
      return choice(
        bases.map((base) => base ?? absent),
        at,
        key,
      )
    },
    spoil: (_, why) => why,
  }
}

/** What an array or a collection holds, and whether that is in doubt. */
interface Contents<T> {
  readonly items: T[]
  readonly doubt: Unknown | undefined
}

function elementsSlot(array: ArrayValue): Slot {
  return {
    key: array,
    name: undefined,
    read: (): Contents<Value> => ({ items: array.elements, doubt: array.doubt }),
    write: (state) => {
      const { items, doubt } = state as Contents<Value>
      array.elements = items
      array.doubt = doubt
    },
    join: (states, at, key): Contents<Value> => {
      // Position by position; where a list is shorter, the rest of the others is optional.
      const all = states as Contents<Value>[]
      const length = Math.max(...all.map(({ items }) => items.length))
      const items = Array.from({ length }, (_, index) =>
        choice(
          all.map((one) => one.items[index] ?? absent),
          at,
          key,
        ),
      )
      return { items, doubt: all.find(({ doubt }) => doubt !== undefined)?.doubt }
    },
    spoil: (state, why): Contents<Value> => {
      const { items, doubt } = state as Contents<Value>
      return { items, doubt: doubt ?? why }
    },
  }
}

type Entry = [Value, Value]

function entriesSlot(collection: Collection): Slot {
  return {
    key: collection,
    name: undefined,
    read: (): Contents<Entry> => ({ items: collection.entries, doubt: collection.doubt }),
    write: (state) => {
      const { items, doubt } = state as Contents<Entry>
      collection.entries = items
      collection.doubt = doubt
    },
    join: (states, at): Contents<Entry> => {
      const all = states as Contents<Entry>[]
      const isSame = all.every(({ items }) => items === all[0]?.items)
      const known = all.find(({ doubt }) => doubt !== undefined)?.doubt
      return {
        items: isSame ? (all[0]?.items ?? []) : [...new Set(all.flatMap(({ items }) => items))],
        doubt: known ?? (isSame ? undefined : unknown('its entries depend on a condition', at)),
      }
    },
    spoil: (state, why): Contents<Entry> => {
      const { items, doubt } = state as Contents<Entry>
      return { items, doubt: doubt ?? why }
    },
  }
}

function joinValues(
  states: readonly (Value | undefined)[],
  at: Node,
  key: ChoiceKey,
): Value | undefined {
  const declared = states.find((state) => state !== undefined)
  if (declared === undefined) return undefined
  return choice(
    states.map((state) => state ?? declared),
    at,
    key,
  )
}
