/** The global `Object`. */
import {
  accessorOf,
  enumerableProperties,
  setsPrototype,
  toKey,
  ownEntries,
  readMember,
} from '../values/properties.ts'
import type { Machine } from '../values/machine.ts'
import { hasOwn } from '../values/prototype.ts'
import { isRestricted, restrict } from '../values/restrictions.ts'
import { assignCode, spreadInto } from '../values/spread.ts'
import { addMembers, array, native, object, primitive } from '../values/index.ts'
import type { Member, NativeCall, NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import { functions, type Builtin } from './functions.ts'
import { reflections } from './reflection.ts'

export function objectGlobal(m: Machine): NativeValue {
  const build: NativeCall = ({ args, at }) => args[0] ?? object(at)
  const list =
    (pick: (name: string, member: Member, owner: Value, at: Node) => Value): Builtin =>
    ({ at }, owner) => {
      const properties = enumerableProperties(m, owner, at)
      if (!Array.isArray(properties)) return properties
      const picked = properties.map(([name, member]) => pick(name, member, owner, at))
      return array(picked, at)
    }
  const nameOf = (name: string, { value }: Member): Value => primitive(name, value.at)
  const valueOf = (_: string, member: Member, owner: Value, at: Node): Value =>
    readMember(m, owner, member, at)
  const restricting: Builtin = ({ at }, owner) => {
    restrict(m, owner, at)
    return owner
  }
  const statics = functions(m, 'Object', {
    keys: list(nameOf),
    values: list(valueOf),
    entries: list((name, member, owner, at) =>
      array([nameOf(name, member), valueOf(name, member, owner, at)], at),
    ),
    assign,
    fromEntries,
    hasOwn: ({ at }, owner, key) => hasOwn(m, owner, key, at),
    freeze: restricting,
    seal: restricting,
    preventExtensions: restricting,
    ...reflections,
  })
  return addMembers(native('Object', build, build), statics)
}

const assign: Builtin = ({ m, at }, target, ...sources) => {
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
  // Entries of a package's object start the sandbox, so they are only read where they matter.
  const mayBeWatched =
    mayCallSetters(target) || ('members' in source && source.members.has('__proto__'))
  const entries = mayBeWatched ? ownEntries(m, source, at) : undefined
  const isWatched = (name: string): boolean =>
    isRestricted(target) || accessorOf(target, name) !== undefined || setsPrototype(target, name)
  if (!Array.isArray(entries) || !entries.some(([name]) => isWatched(name))) {
    return spreadInto(m, target, source, at, assignCode)
  }
  for (const [name, value] of entries) m.set(target, primitive(name, at), value, at)
}

function mayCallSetters(target: ObjectValue): boolean {
  const isAccessor = ({ getter, setter }: Member): boolean => (getter ?? setter) !== undefined
  const members = [...target.members.values()]
  return target.proto !== undefined || isRestricted(target) || members.some(isAccessor)
}

const fromEntries: Builtin = ({ m, at }, pairs) => {
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
