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

type SlotName = string | symbol | undefined

/** A place that is written to. Its state can be read, restored and joined with other states. */
interface Slot {
  readonly key: unknown
  readonly name: SlotName
  readonly isVariable?: boolean
  read(): unknown
  write(state: unknown): void
  join(states: readonly unknown[], at: Node, key: ChoiceKey): unknown
  /** Returns the state after unknown writes. */
  spoil(state: unknown, why: Unknown): unknown
}

interface Entry {
  readonly slot: Slot
  readonly before: unknown
}

/** Slots with the state that they had before the first write. */
class Writes {
  readonly #slots = new Map<unknown, Map<SlotName, Entry>>()

  find(slot: Slot): Entry | undefined {
    return this.#slots.get(slot.key)?.get(slot.name)
  }

  add(slot: Slot, before: unknown): Entry {
    const names = this.#slots.get(slot.key) ?? new Map<SlotName, Entry>()
    this.#slots.set(slot.key, names)
    const entry = { slot, before }
    names.set(slot.name, entry)
    return entry
  }

  entries(): Entry[] {
    return [...this.#slots.values()].flatMap((names) => [...names.values()])
  }
}

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
  readonly #watches = new Set<Writes>()
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

  /** Marks a list, map or set as having elements that aren't known. The known ones stay. */
  setDoubt(owner: ArrayValue | Collection, why: Unknown): void {
    if (owner.doubt !== undefined) return
    this.#note('elements' in owner ? elementsSlot(owner) : entriesSlot(owner))
    owner.doubt = why
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
    const before = new Writes()
    const outcomes: (Map<Slot, unknown> | undefined)[] = []
    for (const run of branches) {
      const writes = new Writes()
      this.#open.push(writes)
      let end: 'kept' | 'dropped'
      try {
        end = run()
      } finally {
        this.#open.pop()
      }
      const after = new Map<Slot, unknown>()
      for (const { slot, before: state } of writes.entries()) {
        const known = before.find(slot) ?? before.add(slot, state)
        after.set(known.slot, slot.read())
        this.#keep(slot, false)
        slot.write(state)
      }
      outcomes.push(end === 'kept' ? after : undefined)
    }
    const kept = outcomes.find((after) => after !== undefined)
    if (kept === undefined) return
    for (const { slot, before: state } of before.entries()) {
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
    const written = new Writes()
    const latest = latestNumber()
    this.#watches.add(written)
    return {
      stop: () => void this.#watches.delete(written),
      spoil: (why, which = 'all') => {
        for (const { slot } of written.entries()) {
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
    for (const written of this.#watches) written.add(slot, undefined)
    const writes = this.#open.at(-1)
    if (writes !== undefined && writes.find(slot) === undefined) writes.add(slot, slot.read())
  }
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
    join: (states, at, key) => {
      const values = states as (Value | undefined)[]
      const declared = values.find((value) => value !== undefined)
      return declared && joined(values, declared, at, key)
    },
    spoil: (_, why) => why,
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
    join: (states, at, key) => joined(states as (Value | undefined)[], absent, at, key),
    spoil: (_, why) => why,
  }
}

/** Covers all members at once, to keep their order. */
function membersSlot(owner: WithMembers): Slot {
  return {
    key: owner,
    name: undefined,
    read: () => new Map(owner.members),
    write: (state) => {
      owner.members.clear()
      for (const [name, member] of state as Members) owner.members.set(name, member)
    },
    join: (states, at, key) => joinMembers(states as readonly Members[], at, key),
    spoil: (state, why) =>
      new Map([...(state as Members)].map(([name, { at }]) => [name, { value: why, at }])),
  }
}

function joinMembers(all: readonly Members[], at: Node, key: ChoiceKey): Members {
  const result: Members = new Map()
  for (const name of mergeOrder(all.map((members) => [...members.keys()]))) {
    const found = all.map((members) => members.get(name))
    const [first] = found
    const member = found.find((one) => one !== undefined)
    if (found.every((one) => one === first) || member === undefined) {
      if (first !== undefined) result.set(name, first)
      continue
    }
    const values = found.map((one) => one?.value)
    const value = joined(values, absent, at, key)
    result.set(name, { value, at: member.at, hidden: member.hidden })
  }
  return result
}

/** The items of a list, map or set, and why more of them may exist. */
interface Contents<Item> {
  readonly items: Item[]
  readonly doubt: Unknown | undefined
}

function elementsSlot(array: ArrayValue): Slot {
  return contentsSlot<Value>(
    array,
    () => array.elements,
    (items) => (array.elements = items),
    (lists, at, key) => {
      // Position by position; where a list is shorter, the rest of the others is optional.
      const length = Math.max(...lists.map((items) => items.length))
      const items = Array.from({ length }, (_, index) =>
        joined(
          lists.map((list) => list[index]),
          absent,
          at,
          key,
        ),
      )
      return { items, doubt: undefined }
    },
  )
}

function entriesSlot(collection: Collection): Slot {
  return contentsSlot<[Value, Value]>(
    collection,
    () => collection.entries,
    (entries) => (collection.entries = entries),
    (lists, at) => {
      const [first = []] = lists
      if (lists.every((entries) => entries === first)) return { items: first, doubt: undefined }
      const doubt = unknown('its entries depend on a condition', at)
      return { items: [...new Set(lists.flat())], doubt }
    },
  )
}

function contentsSlot<Item>(
  owner: { doubt?: Unknown | undefined },
  items: () => Item[],
  setItems: (items: Item[]) => void,
  join: (lists: Item[][], at: Node, key: ChoiceKey) => Contents<Item>,
): Slot {
  return {
    key: owner,
    name: undefined,
    read: (): Contents<Item> => ({ items: items(), doubt: owner.doubt }),
    write: (state) => {
      const contents = state as Contents<Item>
      setItems(contents.items)
      owner.doubt = contents.doubt
    },
    join: (states, at, key): Contents<Item> => {
      const all = states as Contents<Item>[]
      const result = join(
        all.map((one) => one.items),
        at,
        key,
      )
      const known = all.find(({ doubt }) => doubt !== undefined)?.doubt
      return { items: result.items, doubt: known ?? result.doubt }
    },
    spoil: (state, why): Contents<Item> => {
      const contents = state as Contents<Item>
      return { items: contents.items, doubt: contents.doubt ?? why }
    },
  }
}

function joined(
  values: readonly (Value | undefined)[],
  missing: Value,
  at: Node,
  key: ChoiceKey,
): Value {
  return choice(
    values.map((value) => value ?? missing),
    at,
    key,
  )
}
