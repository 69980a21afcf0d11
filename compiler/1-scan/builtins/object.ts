import { accessorOf, setsPrototype } from '../values/accessors.ts'
import { distributeAll } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { presence } from '../values/presence.ts'
import { isRestricted, restrict } from '../values/integrity.ts'
import type { Integrity } from '../values/integrity.ts'
import { toKey } from '../values/names.ts'
import { spreadInto } from '../values/spread.ts'
import { array, native, object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { Member, NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { ownEntries } from './lists/entries.ts'
import * as reflection from './reflection.ts'

const reflections = {
  create: reflection.create,
  defineProperties: reflection.defineProperties,
  defineProperty: reflection.defineProperty,
  getOwnPropertyDescriptor: reflection.getOwnPropertyDescriptor,
  getOwnPropertyDescriptors: reflection.getOwnPropertyDescriptors,
  getOwnPropertyNames: reflection.getOwnPropertyNames,
  getOwnPropertySymbols: reflection.getOwnPropertySymbols,
  getPrototypeOf: reflection.getPrototypeOf,
  setPrototypeOf: reflection.setPrototypeOf,
}

const integrity: Readonly<Record<string, Integrity>> = {
  freeze: 'frozen',
  seal: 'sealed',
  preventExtensions: 'fixed',
}

/** The global `Object`. */
export function objectGlobal(m: Machine): NativeValue {
  const result = native(
    'Object',
    ({ args, at }) => args[0] ?? object(at),
    ({ args, at }) => args[0] ?? object(at),
  )
  const define = (name: string, call: (args: Value[], at: Node) => Value): void => {
    const value = native(`Object.${name}`, ({ args, at }) =>
      distributeAll(m, args, at, (each) => call(each, at)),
    )
    result.members.set(name, { value, at: undefined })
  }
  const list = (name: string, pick: (key: string, value: Value, at: Node) => Value): void => {
    define(name, ([owner = undefinedValue], at) => {
      const entries = ownEntries(m, owner, at)
      if (!Array.isArray(entries)) return entries
      return array(
        entries.map(([key, value]) => pick(key, value, at)),
        at,
      )
    })
  }
  list('keys', (key, value) => primitive(key, value.at))
  list('values', (_, value) => value)
  list('entries', (key, value, at) => array([primitive(key, value.at), value], at))
  define('assign', ([target = undefinedValue, ...sources], at) => {
    if (target.kind === 'object') {
      for (const source of sources) assignInto(m, target, source, at)
    } else if (target.kind === 'array') {
      for (const source of sources) {
        const entries = ownEntries(m, source, at)
        if (!Array.isArray(entries)) return entries
        for (const [name, value] of entries) m.set(target, primitive(name, at), value, at)
      }
    } else if ('members' in target) {
      for (const source of sources) {
        const entries = ownEntries(m, source, at)
        if (!Array.isArray(entries)) return entries
        for (const [name, value] of entries) m.journal.setMember(target, name, { value, at })
      }
    } else if (target.kind === 'deferred') {
      m.deferrals.effect('(t, ...s) => { Object.assign(t, ...s) }', [target, ...sources], at)
    }
    return target
  })
  define('fromEntries', ([pairs = undefinedValue], at) => {
    const items = m.iterate(pairs, at)
    if (!Array.isArray(items)) return items
    const made = object(at)
    for (const item of items) {
      const key = m.known(m.get(item, primitive(0, at), at))
      const value = m.get(item, primitive(1, at), at)
      // A property of its own, whatever it is called: nothing that is inherited is asked.
      if (key.kind !== 'primitive') m.set(made, key, value, at)
      else m.journal.setMember(made, toKey(key.value), { value, at })
    }
    return made
  })
  define('hasOwn', ([owner = undefinedValue, key = undefinedValue], at) => {
    const name = m.known(key)
    return name.kind === 'primitive'
      ? presence(m, owner, String(name.value), at, 'own')
      : unknown('which property is asked for is not known', at)
  })
  for (const [name, reflect] of Object.entries(reflections)) {
    define(name, (args, at) => reflect(m, args, at))
  }
  for (const [name, level] of Object.entries(integrity)) {
    define(name, ([owner = undefinedValue], at) => {
      restrict(m, owner, level, at)
      return owner
    })
  }
  return result
}

/** Like a spread, but for properties that are written by calling a setter. */
function assignInto(m: Machine, target: ObjectValue, source: Value, at: Node): void {
  const mayBeWatched =
    accessorsMayBeIn(target) || ('members' in source && source.members.has('__proto__'))
  const entries = mayBeWatched ? ownEntries(m, source, at) : undefined
  const isWatched = (name: string): boolean =>
    isRestricted(target) || accessorOf(target, name) !== undefined || setsPrototype(target, name)
  if (Array.isArray(entries) && entries.some(([name]) => isWatched(name))) {
    for (const [name, value] of entries) m.set(target, primitive(name, at), value, at)
  } else {
    spreadInto(m, target, source, at)
  }
}

function accessorsMayBeIn({ proto, members }: ObjectValue): boolean {
  const isSpecial = ({ getter, setter }: Member): boolean =>
    getter !== undefined || setter !== undefined
  return proto !== undefined || isRestricted({ members }) || [...members.values()].some(isSpecial)
}
