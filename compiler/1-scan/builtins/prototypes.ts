/** Prototypes of the global constructors, such as `Array.prototype`. */
import { errorName } from '../values/thrown.ts'
import type { Machine } from '../values/machine.ts'
import { native, object, primitive, typeOf, unknown } from '../values/index.ts'
import type { NativeValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../project.ts'
import { isIterator } from './lists/iterators.ts'
import { builtinOf } from './reflection.ts'

/** Constructors whose prototype methods the scan can call, as in `Array.prototype.map.call(list)`. */
const constructors =
  'Array Boolean Date Error Function Map Number Object Promise Set String Symbol WeakMap WeakSet'

/** Adds prototypes to the global constructors. */
export function addPrototypes(m: Machine, globals: Readonly<Record<string, Value>>): void {
  const errors = Object.keys(globals).filter((name) => /.Error$/.test(name))
  let ofErrors: ObjectValue | undefined
  for (const name of [...constructors.split(' '), ...errors]) {
    const global = globals[name]
    if (global?.kind !== 'native') continue
    const value = prototypeOf(m, global, name)
    if (name === 'Error') ofErrors = value
    else if (errors.includes(name)) value.proto = ofErrors
    global.members.set('prototype', { value, at: undefined, hidden: true })
  }
}

function prototypeOf(m: Machine, constructor: NativeValue, name: string): ObjectValue {
  const { prototype } = Reflect.get(globalThis, name) as { prototype: object }
  const result = object(undefined)
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    let member: Value = constructor
    if (key !== 'constructor') {
      member =
        typeof value === 'function'
          ? method(m, name, key)
          : unknown(`the build cannot evaluate \`${name}.prototype.${key}\``, m.entryFile)
    }
    result.members.set(key, { value: member, at: undefined, hidden: true })
  }
  return result
}

function method(m: Machine, name: string, key: string): NativeValue {
  const fullName = `${name}.prototype.${key}`
  return native(fullName, ({ thisValue, args, at }) => {
    if (fullName === 'Object.prototype.toString') return tagOf(thisValue, at)
    if (name === 'Array' && thisValue.kind !== 'array') {
      return unknown(`\`${fullName}\` is called with a value that is not a list`, at)
    }
    const implemented = m.get(thisValue, primitive(key, at), at)
    // The method was found on this prototype again, so the interpreter doesn't implement it.
    if (implemented.kind === 'native' && implemented.name === fullName)
      return unknown(`the build cannot evaluate \`${fullName}\``, at)
    return m.call(implemented, thisValue, args, at)
  })
}

/** Returns the result of `Object.prototype.toString`, such as `[object Array]`. */
function tagOf(value: Value, at: Node): Value {
  const tag = (kind: string): Value => primitive(`[object ${kind}]`, at)
  if (value.kind === 'primitive') return primitive(Object.prototype.toString.call(value.value), at)
  if (value.kind === 'array') return tag('Array')
  if (typeOf(value) === 'function') return tag('Function')
  if (value.kind !== 'object') return unknown('its kind is not known', at)
  if (errorName(value) !== undefined) return tag('Error')
  if (isIterator(value)) return unknown('the kind of this iterator is not known', at)
  return tag(builtinOf(value))
}
