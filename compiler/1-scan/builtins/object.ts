/** The globals `Object` and `Reflect`. */
import { accessorOf, setsPrototype } from '../values/accessors.ts'
import type { Machine } from '../values/machine.ts'
import { hasOwn, hasProperty } from '../values/presence.ts'
import { mayBeRestricted, restrict, type Restriction } from '../values/restrictions.ts'
import { toKey } from '../values/names.ts'
import { spreadInto } from '../values/spread.ts'
import {
  addMembers,
  array,
  native,
  object,
  objectOf,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Member, NativeCall, NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { ownEntries } from '../values/entries.ts'
import { functions } from './functions.ts'
import {
  defineProperty,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  reflections,
  setPrototypeOf,
} from './reflection.ts'

type Call = (args: Value[], at: Node) => Value

export function objectGlobal(m: Machine): NativeValue {
  const build: NativeCall = ({ args, at }) => args[0] ?? object(at)
  const list =
    (pick: (key: string, value: Value, at: Node) => Value): Call =>
    ([owner = undefinedValue], at) => {
      const entries = ownEntries(m, owner, at)
      if (!Array.isArray(entries)) return entries
      const picked = entries.map(([key, value]) => pick(key, value, at))
      return array(picked, at)
    }
  const restricting =
    (by: Restriction): Call =>
    ([owner = undefinedValue], at) => {
      restrict(m, owner, by, at)
      return owner
    }
  const reflect: Record<string, Call> = {}
  for (const [name, reflection] of Object.entries(reflections)) {
    reflect[name] = (args, at) => reflection(m, args, at)
  }
  const statics = functions(m, 'Object', {
    keys: list((key, value) => primitive(key, value.at)),
    values: list((_, value) => value),
    entries: list((key, value, at) => array([primitive(key, value.at), value], at)),
    assign: ([target = undefinedValue, ...sources], at) => assign(m, target, sources, at),
    fromEntries: ([pairs = undefinedValue], at) => fromEntries(m, pairs, at),
    hasOwn: ([owner = undefinedValue, key = undefinedValue], at) => hasOwn(m, owner, key, at),
    freeze: restricting('frozen'),
    seal: restricting('sealed'),
    preventExtensions: restricting('fixed'),
    ...reflect,
  })
  return addMembers(native('Object', build, build), statics)
}

function assign(m: Machine, target: Value, sources: readonly Value[], at: Node): Value {
  if (target.kind === 'deferred') {
    m.deferrals.effect('(t, ...s) => { Object.assign(t, ...s) }', [target, ...sources], at)
  } else if (target.kind === 'object') {
    for (const source of sources) assignInto(m, target, source, at)
  } else if ('members' in target) {
    for (const source of sources) {
      const entries = ownEntries(m, source, at)
      if (!Array.isArray(entries)) return entries
      for (const [name, value] of entries) {
        if (target.kind === 'array') m.set(target, primitive(name, at), value, at)
        else m.journal.setMember(target, name, { value, at })
      }
    }
  }
  return target
}

/** Like a spread, except that setters are called. */
function assignInto(m: Machine, target: ObjectValue, source: Value, at: Node): void {
  const mayBeWatched =
    accessorsMayBeIn(target) || ('members' in source && source.members.has('__proto__'))
  const entries = mayBeWatched ? ownEntries(m, source, at) : undefined
  const isWatched = (name: string): boolean =>
    mayBeRestricted(target) || accessorOf(target, name) !== undefined || setsPrototype(target, name)
  if (Array.isArray(entries) && entries.some(([name]) => isWatched(name))) {
    for (const [name, value] of entries) m.set(target, primitive(name, at), value, at)
  } else {
    spreadInto(m, target, source, at)
  }
}

function accessorsMayBeIn({ proto, members }: ObjectValue): boolean {
  const isSpecial = ({ getter, setter }: Member): boolean =>
    getter !== undefined || setter !== undefined
  return (
    proto !== undefined || mayBeRestricted({ members }) || [...members.values()].some(isSpecial)
  )
}

function fromEntries(m: Machine, pairs: Value, at: Node): Value {
  const items = m.iterate(pairs, at)
  if (!Array.isArray(items)) return items
  const made = object(at)
  for (const item of items) {
    const key = m.known(m.get(item, primitive(0, at), at))
    const value = m.get(item, primitive(1, at), at)
    // It is always an own property: inherited setters aren't called.
    if (key.kind !== 'primitive') m.set(made, key, value, at)
    else m.journal.setMember(made, toKey(key.value), { value, at })
  }
  return made
}

export function reflectGlobal(m: Machine): Value {
  const listOf = (value: Value | undefined, at: Node): Value[] => {
    const items = value === undefined ? [] : m.iterate(value, at)
    return Array.isArray(items) ? items : [items]
  }
  const done = (result: Value, at: Node): Value =>
    result.kind === 'unknown' ? result : primitive(true, at)
  const calls: Record<string, Call> = {
    ownKeys: (args, at) => {
      const names = getOwnPropertyNames(m, args, at)
      const symbols = getOwnPropertySymbols(m, args, at)
      return names.kind === 'array' && symbols.kind === 'array'
        ? array([...names.elements, ...symbols.elements], at)
        : names
    },
    get: ([owner = undefinedValue, key = undefinedValue], at) => m.get(owner, key, at),
    set: ([owner = undefinedValue, key = undefinedValue, value = undefinedValue], at) => {
      m.set(owner, key, value, at)
      return primitive(true, at)
    },
    has: ([owner = undefinedValue, key = undefinedValue], at) => {
      const name = m.known(key)
      return name.kind === 'primitive'
        ? primitive(hasProperty(owner, String(name.value)), at)
        : unknown('the name of the property is not known', at)
    },
    deleteProperty: ([owner = undefinedValue, key = undefinedValue], at) => {
      m.remove(owner, key, at)
      return primitive(true, at)
    },
    apply: ([callee = undefinedValue, thisValue = undefinedValue, list], at) =>
      m.call(callee, thisValue, listOf(list, at), at),
    construct: ([callee = undefinedValue, list], at) => m.construct(callee, listOf(list, at), at),
    defineProperty: (args, at) => done(defineProperty(m, args, at), at),
    setPrototypeOf: (args, at) => done(setPrototypeOf(m, args, at), at),
    getPrototypeOf: (args, at) => getPrototypeOf(m, args, at),
    getOwnPropertyDescriptor: (args, at) => getOwnPropertyDescriptor(m, args, at),
  }
  return objectOf(functions(m, 'Reflect', calls))
}
