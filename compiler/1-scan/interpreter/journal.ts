import { absent, choice, primitive, unknown } from './values.ts'
import type { ArrayValue, Member, ObjectValue, Value } from './values.ts'
import type { Binding } from './scope.ts'
import type { Node } from '../project.ts'

const kBase = Symbol('base')

/** One thing that can be written: its state can be read, restored and joined with another one. */
interface Slot {
  readonly key: unknown
  readonly name: string | symbol | undefined
  read(): unknown
  write(state: unknown): void
  join(a: unknown, b: unknown, at: Node): unknown
}

type Writes = Map<unknown, Map<string | symbol | undefined, { slot: Slot; before: unknown }>>

interface WithMembers {
  readonly members: Map<string | symbol, Member>
}

/**
 * Every write of the interpreter goes through here, so that the branches of a condition that only
 * the running application knows can each start from the same state, and be joined afterwards.
 */
export class Journal {
  readonly #open: Writes[] = []

  setBinding(binding: Binding, value: Value): void {
    this.#note(bindingSlot(binding))
    binding.value = value
  }

  setMember(owner: WithMembers, name: string | symbol, member: Member): void {
    this.#note(memberSlot(owner, name))
    owner.members.set(name, member)
  }

  deleteMember(owner: WithMembers, name: string | symbol): void {
    this.#note(memberSlot(owner, name))
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

  setEntries(collection: { entries: [Value, Value][] }, entries: [Value, Value][]): void {
    this.#note(entriesSlot(collection))
    collection.entries = entries
  }

  /**
   * Runs each branch from the present state, then joins what they wrote. A branch that says it was
   * `dropped` (it threw) leaves nothing behind.
   */
  branch(branches: readonly (() => 'kept' | 'dropped')[], at: Node): void {
    const before: Writes = new Map()
    const outcomes: Map<Slot, unknown>[] = []
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
        slot.write(state)
      }
      if (end === 'kept') outcomes.push(after)
    }
    if (outcomes.length === 0) return
    for (const { slot, before: state } of entriesOf(before)) {
      const states = outcomes.map((after) => (after.has(slot) ? after.get(slot) : state))
      this.#note(slot)
      slot.write(states.reduce((a, b) => (a === b ? a : slot.join(a, b, at))))
    }
  }

  #note(slot: Slot): void {
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
    read: () => binding.value,
    write: (state) => {
      binding.value = state as Value | undefined
    },
    join: (a, b, at) => joinValues(a as Value | undefined, b as Value | undefined, at),
  }
}

function memberSlot(owner: WithMembers, name: string | symbol): Slot {
  return {
    key: owner,
    name,
    read: () => owner.members.get(name),
    write: (state) => {
      if (state === undefined) owner.members.delete(name)
      else owner.members.set(name, state as Member)
    },
    join: (a, b, at) => {
      const [first, second] = [a as Member | undefined, b as Member | undefined]
      return {
        value: choice([first?.value ?? absent, second?.value ?? absent], at),
        at: first?.at ?? second?.at,
      } satisfies Member
    },
  }
}

function baseSlot(owner: ObjectValue): Slot {
  return {
    key: owner,
    // No property can have this name: symbols are compared by identity.
    name: kBase,
    read: () => owner.base,
    write: (state) => {
      owner.base = state as Value | undefined
    },
    join: (a, b, at) => {
      const empty = primitive(undefined, at)
      return choice([(a as Value | undefined) ?? empty, (b as Value | undefined) ?? empty], at)
    },
  }
}

function elementsSlot(array: ArrayValue): Slot {
  return {
    key: array,
    name: undefined,
    read: () => array.elements,
    write: (state) => {
      array.elements = state as Value[]
    },
    join: (a, b, at) => {
      array.doubt ??= unknown('its elements depend on a condition', at)
      return joinLists(a as Value[], b as Value[])
    },
  }
}

function entriesSlot(collection: { entries: [Value, Value][] }): Slot {
  return {
    key: collection,
    name: undefined,
    read: () => collection.entries,
    write: (state) => {
      collection.entries = state as [Value, Value][]
    },
    join: (a, b) => joinLists(a as [Value, Value][], b as [Value, Value][]),
  }
}

function joinValues(a: Value | undefined, b: Value | undefined, at: Node): Value | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return choice([a, b], at)
}

/** The superset: what either branch has appended. */
function joinLists<T>(a: readonly T[], b: readonly T[]): T[] {
  return [...a, ...b.filter((item) => !a.includes(item))]
}
