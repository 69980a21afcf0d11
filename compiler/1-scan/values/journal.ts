/** Records writes of the interpreter, so that the branches of an unknown condition start from the same state and are joined. */
import { choice } from './choices.ts'
import { joinChanges, spoilChanges, writeChanges } from './changes.ts'
import { absent, latestNumber, unknown } from './index.ts'
import type {
  ArrayValue,
  Changeable,
  Changes,
  ChoiceKey,
  Collection,
  FunctionValue,
  Key,
  Member,
  ObjectValue,
  Owner,
  Unknown,
  Value,
} from './index.ts'
import { mergeOrder } from '../../util/merge-order.ts'
import type { Binding } from './scope.ts'
import type { Node } from '../../util/source/project.ts'

/** A place that is written to. Its state can be read, restored and joined with other states. */
interface Slot<State = unknown> {
  readonly key: object
  readonly isVariable?: boolean
  read(): State
  write(state: State): void
  join(states: readonly State[], at: Node, key: ChoiceKey): State
  /** Returns the state after unknown writes, of which one has led here from the state before. */
  spoil(state: State, why: Unknown, before: State): State
}

function perOwner<Of extends object>(make: (owner: Of) => Slot): (owner: Of) => Slot {
  const slots = new WeakMap<Of, Slot>()
  return (owner) => {
    const slot = slots.get(owner) ?? make(owner)
    slots.set(owner, slot)
    return slot
  }
}

type Members = Owner['members']

export class Journal {
  /** The state of each slot before its first write, for each branch that is followed. */
  readonly #open: Map<Slot, unknown>[] = []
  /** The state of each slot before its first write, for each watch. */
  readonly #watches = new Set<{ readonly all: Map<Slot, unknown>; late?: Set<Slot> | undefined }>()
  /** Slots that code may write at any time from now on. */
  readonly #loose = new Map<Slot, () => void>()
  /** The loose slots that the application has written to since `passTime`: only these have to become unknown again. */
  readonly #changed = new Set<Slot>()
  readonly #beforeWrite: (slot: Slot, isByApplication: boolean) => void

  /** @param beforeWrite is called before each write, by the application or to restore or join branches */
  constructor(beforeWrite: (slot: Slot, isByApplication: boolean) => void) {
    this.#beforeWrite = beforeWrite
  }

  setBinding(binding: Binding, value: Value): void {
    this.#note(bindingSlot(binding))
    binding.value = value
  }

  setMember(owner: Owner, name: Key, member: Member): void {
    this.#note(membersSlot(owner))
    owner.members.set(name, member)
  }

  deleteMember(owner: Owner, name: string | symbol): void {
    this.#note(membersSlot(owner))
    owner.members.delete(name)
  }

  setBase(owner: ObjectValue, base: Value | undefined): void {
    this.#note(membersSlot(owner))
    owner.base = base
  }

  setPrototype(owner: FunctionValue | ObjectValue, proto: Value): void {
    this.#note(membersSlot(owner))
    owner.proto = proto
  }

  setElements(array: ArrayValue, elements: Value[]): void {
    this.#note(elementsSlot(array))
    array.elements = elements
  }

  /** Marks a list, map or set as having elements that aren't known. The known ones stay. */
  setUncertainty(owner: ArrayValue | Collection, why: Unknown | undefined): void {
    if (why === undefined || owner.uncertainty !== undefined) return
    this.#note('elements' in owner ? elementsSlot(owner) : entriesSlot(owner))
    owner.uncertainty = why
  }

  setChanges(owner: Changeable, changes: Changes): void {
    this.#note(changesSlot(owner))
    writeChanges(owner, changes)
  }

  setEntries(collection: Collection, entries: [Value, Value][]): void {
    this.#note(entriesSlot(collection))
    collection.entries = entries
  }

  /** Runs each branch from the present state, then joins their writes. The writes of a branch that returns `false` are ignored. */
  branch(branches: readonly (() => boolean)[], at: Node, key: ChoiceKey): void {
    const before = new Map<Slot, unknown>()
    const outcomes: (Map<Slot, unknown> | undefined)[] = []
    for (const run of branches) {
      const writes = new Map<Slot, unknown>()
      this.#open.push(writes)
      let isKept: boolean
      try {
        isKept = run()
      } finally {
        this.#open.pop()
      }
      const after = new Map<Slot, unknown>()
      for (const [slot, state] of writes) {
        if (!before.has(slot)) before.set(slot, state)
        after.set(slot, slot.read())
        this.#announce(slot, false)
        slot.write(state)
      }
      outcomes.push(isKept ? after : undefined)
    }
    const kept = outcomes.find((after) => after !== undefined)
    if (kept === undefined) return
    for (const [slot, state] of before) {
      // A branch whose writes are ignored takes the state of another, so that it adds no option.
      const states = outcomes.map((outcome = kept) =>
        outcome.has(slot) ? outcome.get(slot) : state,
      )
      this.#note(slot, false)
      const [first] = states
      slot.write(states.every((one) => one === first) ? first : slot.join(states, at, key))
    }
  }

  /** Runs something that may run any number of times. Its writes become unknown. */
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
   * Collects writes until `stop`. `spoil` makes them unknown: all of them, or only those of variables, or of variables after something that
   * may throw. If all become unknown, new variables, objects and arrays stay as they are, because references to them become unknown.
   */
  watch(): {
    stop(): void
    spoil(why: Unknown, which?: 'all' | 'late' | 'loose' | 'variables'): void
  } {
    const written = { all: new Map<Slot, unknown>(), late: undefined as Set<Slot> | undefined }
    const latest = latestNumber()
    this.#watches.add(written)
    return {
      stop: () => void this.#watches.delete(written),
      spoil: (why, which = 'all') => {
        for (const [slot, before] of written.all) {
          if (which === 'late' && written.late?.has(slot) !== true) continue
          const { number = 0 } = slot.key as { readonly number?: number }
          const isWhole = which === 'all' || which === 'loose'
          if (isWhole ? number > latest : slot.isVariable !== true) continue
          const spoil = (): void => {
            this.#note(slot)
            slot.write(slot.spoil(slot.read(), why, before))
            this.#changed.delete(slot)
          }
          spoil()
          if (which === 'loose') this.#loose.set(slot, spoil)
        }
      },
    }
  }

  /** Must be called where something may throw: what is written from here on is late. */
  mayThrow(): void {
    for (const one of this.#watches) one.late ??= new Set()
  }

  /** Runs something that may run now, later, never or several times. */
  loosely(run: () => void, why: Unknown): void {
    const writes = this.watch()
    try {
      run()
    } finally {
      writes.stop()
      writes.spoil(why, 'loose')
    }
  }

  /** Must be called before other code runs than that which was running: loose code may have run meanwhile. */
  passTime(): void {
    for (const slot of this.#changed) this.#loose.get(slot)?.()
  }

  /** Runs something outside of the innermost conditions: only the first `depth` branches record its writes. */
  outside(depth: number, run: () => void): void {
    const inner = this.#open.splice(depth)
    try {
      run()
    } finally {
      this.#open.push(...inner)
    }
  }

  /** Runs the code of a module, whose writes no branch undoes: it is loaded once for all branches. */
  unconditionally(run: () => void): void {
    const watches = [...this.#watches]
    this.#watches.clear()
    try {
      this.outside(0, run)
    } finally {
      for (const one of watches) this.#watches.add(one)
    }
  }

  #announce(slot: Slot, isByApplication: boolean): void {
    if (this.#loose.has(slot)) this.#changed.add(slot)
    this.#beforeWrite(slot, isByApplication)
  }

  #note(slot: Slot, isByApplication = true): void {
    this.#announce(slot, isByApplication)
    for (const { all, late } of this.#watches) {
      late?.add(slot)
      if (!all.has(slot)) all.set(slot, slot.read())
    }
    const writes = this.#open.at(-1)
    if (writes?.has(slot) === false) writes.set(slot, slot.read())
  }
}

const bindingSlot = perOwner((binding: Binding): Slot<Value | undefined> => ({
  key: binding,
  isVariable: true,
  read: () => binding.value,
  write: (value) => {
    binding.value = value
  },
  join: (values, at, key) => {
    const declared = values.find((value) => value !== undefined)
    return declared && joined(values, declared, at, key)
  },
  spoil: (_, why) => why,
}))

const changesSlot = perOwner((owner: Changeable): Slot<Changes> => ({
  key: owner,
  isVariable: true,
  read: () => owner.changes,
  write: (changes) => writeChanges(owner, changes),
  join: joinChanges,
  spoil: spoilChanges,
}))

/** The members of an object, its prototype, and the value that the members override. */
export type Properties = Pick<ObjectValue, 'base' | 'members' | 'proto'>

/** Covers all members at once, to keep their order. */
const membersSlot = perOwner((owner: Owner): Slot<Properties> => ({
  key: owner,
  read: () => ({
    base: owner.kind === 'object' ? owner.base : undefined,
    proto: owner.kind === 'object' || owner.kind === 'function' ? owner.proto : undefined,
    members: new Map(owner.members),
  }),
  write: ({ base, members, proto }) => {
    if (owner.kind === 'object') owner.base = base
    if (owner.kind === 'object' || owner.kind === 'function') owner.proto = proto
    owner.members.clear()
    for (const [name, member] of members) owner.members.set(name, member)
  },
  join: (states, at, key) => {
    const bases = states.map(({ base }) => base)
    const [first] = bases
    const isSame = bases.every((one) => one === first)
    const members = joinMembers(
      states.map((state) => state.members),
      at,
      key,
    )
    const [proto] = states.map((state) => state.proto)
    const isSameProto = states.every((state) => state.proto === proto)
    return {
      base: isSame ? first : joined(bases, absent, at, key),
      proto: isSameProto ? proto : unknown('its prototype depends on a condition', at),
      members,
    }
  },
  spoil: ({ base, members, proto }, why, before) => ({
    base: base && why,
    proto,
    members: new Map(
      [...members].map(([name, member]) => {
        const isSame = before.members.get(name)?.value === member.value
        return [name, isSame ? member : { value: why, at: member.at }]
      }),
    ),
  }),
}))

/** Joins the members of an object in several branches. */
export function joinMembers(all: readonly Members[], at: Node, key: ChoiceKey): Members {
  const result: Members = new Map()
  for (const name of mergeOrder(all.map((members) => [...members.keys()]))) {
    const found = all.map((members) => members.get(name))
    const [first] = found
    const member = found.find((one) => one !== undefined)
    if (found.every((one) => one === first) || member === undefined) {
      if (first !== undefined) result.set(name, first)
      continue
    }
    const isAlike = found.every(
      (one = member) =>
        one.getter === undefined && one.setter === undefined && one.hidden === member.hidden,
    )
    if (!isAlike) {
      const why = unknown('how this property is defined depends on a condition', at)
      result.set(name, { value: choice([absent, why], at), at: member.at })
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
  readonly uncertainty: Unknown | undefined
}

const elementsSlot = perOwner((array: ArrayValue): Slot<Contents<Value>> => ({
  key: array,
  read: () => ({ items: array.elements, uncertainty: array.uncertainty }),
  write: ({ items, uncertainty }) => {
    array.elements = items
    array.uncertainty = uncertainty
  },
  join: (states, at, key) => {
    // Position by position; where a list is shorter, the rest of the others is optional.
    const length = Math.max(...states.map(({ items }) => items.length))
    const elements = (index: number): Joined => states.map(({ items }) => items[index])
    const items = Array.from({ length }, (_, index) => joined(elements(index), absent, at, key))
    return { items, uncertainty: uncertaintyOf(states) }
  },
  spoil: spoilContents,
}))

type Entry = Collection['entries'][number]

const entriesSlot = perOwner((collection: Collection): Slot<Contents<Entry>> => ({
  key: collection,
  read: () => ({ items: collection.entries, uncertainty: collection.uncertainty }),
  write: ({ items, uncertainty }) => {
    collection.entries = items
    collection.uncertainty = uncertainty
  },
  join: (states, at) => {
    const lists = new Set(states.map(({ items }) => items))
    const uncertain = lists.size > 1 ? unknown('its entries depend on a condition', at) : undefined
    const items = [...new Set([...lists].flat())]
    return { items, uncertainty: uncertaintyOf(states) ?? uncertain }
  },
  spoil: spoilContents,
}))

function spoilContents<Item>({ items, uncertainty }: Contents<Item>, why: Unknown): Contents<Item> {
  return { items, uncertainty: uncertainty ?? why }
}

function uncertaintyOf(states: readonly Contents<unknown>[]): Unknown | undefined {
  return states.find(({ uncertainty }) => uncertainty !== undefined)?.uncertainty
}

type Joined = readonly (Value | undefined)[]

function joined(values: Joined, missing: Value, at: Node, key: ChoiceKey): Value {
  const options = values.map((value) => value ?? missing)
  return choice(options, at, key)
}
