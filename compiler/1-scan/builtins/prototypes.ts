import { errorName } from '../values/thrown.ts'
import type { Machine } from '../values/machine.ts'
import { native, object, primitive, typeOf, unknown } from '../values/index.ts'
import type { NativeValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'

/** What `Array.prototype` and the like are: methods that are called with another `this`. */

/** Names of constructors whose prototypes are followed. */
const names = ['Array', 'Boolean', 'Date', 'Error', 'Function', 'Map', 'Number', 'Object'] as const
const more = ['Promise', 'Set', 'String', 'Symbol', 'WeakMap', 'WeakSet'] as const

/** Gives the global constructors their prototypes. */
export function addPrototypes(m: Machine, globals: Readonly<Record<string, Value>>): void {
  for (const name of [...names, ...more]) {
    const global = globals[name]
    if (global?.kind !== 'native') continue
    const value = prototypeOf(m, global, name)
    global.members.set('prototype', { value, at: undefined, hidden: true })
  }
}

function prototypeOf(m: Machine, constructor: NativeValue, name: string): Value {
  const real = (globalThis as unknown as Record<string, { prototype: object }>)[name]?.prototype
  const result = object(undefined)
  const descriptors = Object.getOwnPropertyDescriptors(real ?? {})
  for (const [key, { value }] of Object.entries(descriptors)) {
    const member =
      key === 'constructor'
        ? constructor
        : typeof value === 'function'
          ? method(m, name, key)
          : unknown(`\`${name}.prototype.${key}\` is not followed`, m.anywhere)
    result.members.set(key, { value: member, at: undefined, hidden: true })
  }
  return result
}

function method(m: Machine, name: string, key: string): NativeValue {
  const full = `${name}.prototype.${key}`
  return native(full, ({ thisValue, args, at }) => {
    if (full === 'Object.prototype.toString') return tagOf(thisValue, at)
    if (name === 'Array' && thisValue.kind !== 'array') {
      return unknown(`\`${full}\` is called with something that is no list`, at)
    }
    const own = m.get(thisValue, primitive(key, at), at)
    // The object has none but this one: nothing is known of it.
    if (own.kind === 'native' && own.name === full)
      return unknown(`\`${full}\` is not followed`, at)
    return m.call(own, thisValue, args, at)
  })
}

/** `[object Array]` */
function tagOf(value: Value, at: Node): Value {
  if (value.kind === 'primitive') {
    return primitive(Object.prototype.toString.call(value.value), at)
  }
  if (value.kind === 'array') return primitive('[object Array]', at)
  if (typeOf(value) === 'function') return primitive('[object Function]', at)
  if (value.kind !== 'object') return unknown('what kind of object it is is not known', at)
  if (errorName(value) !== undefined) return primitive('[object Error]', at)
  const kind = value.collection?.kind
  if (kind === 'iterator') return unknown('what kind of iterator it is is not known', at)
  return primitive(
    kind === undefined ? '[object Object]' : `[object ${kind === 'map' ? 'Map' : 'Set'}]`,
    at,
  )
}
