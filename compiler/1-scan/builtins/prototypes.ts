/** Prototypes of the global constructors, such as `Array.prototype`, and the methods on them. */
import { errorName } from '../values/thrown.ts'
import { forEachOption } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import { hasOwn, builtinOf } from '../values/prototype.ts'
import { native, object, primitive, typeOf, undefinedValue, unknown } from '../values/index.ts'
import type { Member, ObjectValue, Scalar, Value } from '../values/index.ts'
import { builtin, type Builtin, type Builtins, type Call } from './functions.ts'
import { arrayMethods } from './lists/array.ts'
import { collectionMethods } from './lists/collections.ts'
import { isIterator, listItems, spreadArguments } from './lists/iteration.ts'
import { promiseMethods } from './promises.ts'
import { getOwnPropertyDescriptor } from './reflection.ts'

const functionMethods: Builtins = {
  call: ({ m, self, at }, thisValue, ...args) => m.call(self, thisValue, args, at),
  apply: ({ m, self, at }, thisValue, list) => {
    const isMissing = list.kind === 'primitive' && list.value == null
    return m.call(
      self,
      thisValue,
      isMissing ? [] : spreadArguments(list, listItems(m, list, at), at),
      at,
    )
  },
  bind: ({ m, self, at }, thisValue, ...args) => {
    if (self.kind === 'class' && args.length === 0) return self
    if (self.kind === 'function') {
      const boundArguments = [...self.boundArguments, ...args]
      // A bound function lacks the properties of the function, even `skip-override`, and keeps its first `this`.
      const boundThis = self.boundThis ?? thisValue
      const bound = { ...self, members: new Map(), boundThis, boundArguments }
      m.derived.set(bound, { from: self, isReturned: false })
      return bound
    }
    if (self.kind !== 'native' && self.kind !== 'class') {
      return unknown('the function is not known', at)
    }
    return native(
      `bound ${self.name.split('.').at(-1)}`,
      (call) => m.call(self, thisValue, [...args, ...call.args], call.at),
      (call) => m.construct(self, [...args, ...call.args], call.at),
    )
  },
}

const ownership: Builtin = ({ m, self, at }, key) => hasOwn(m, self, key, at)

const enumerability: Builtin = (call, key) => {
  const described = getOwnPropertyDescriptor(call, call.self, key)
  if (described.kind === 'primitive') return primitive(false, call.at)
  return call.m.get(described, primitive('enumerable', call.at), call.at)
}

/** The methods that the interpreter implements. Those of primitive values are JavaScript's own. */
const methods: Readonly<Record<string, Builtins>> = {
  Array: arrayMethods,
  Function: functionMethods,
  Map: collectionMethods,
  Object: {
    hasOwnProperty: ownership,
    propertyIsEnumerable: enumerability,
    toString: ({ self, at }: Call) => tagOf(self, at),
    valueOf: ({ self }: Call) => self,
  },
  Promise: promiseMethods,
  Set: collectionMethods,
  WeakMap: collectionMethods,
  WeakSet: collectionMethods,
}

/** Returns the result of `Object.prototype.toString`, such as `[object Array]`. */
function tagOf(value: Value, at: Call['at']): Value {
  const tag = (kind: string): Value => primitive(`[object ${kind}]`, at)
  if (value.kind === 'primitive') return primitive(Object.prototype.toString.call(value.value), at)
  if (value.kind === 'array') return tag('Array')
  if (typeOf(value) === 'function') return tag('Function')
  if (value.kind !== 'object') return unknown('its kind is not known', at)
  if (errorName(value) !== undefined) return tag('Error')
  if (isIterator(value)) return unknown('the kind of this iterator is not known', at)
  return tag(builtinOf(value))
}

/** Adds prototypes to the global constructors, and unknown values for static members that the interpreter doesn't implement. */
export function addPrototypes(m: Machine, globals: Readonly<Record<string, Value>>): void {
  const prototypes = new Map<string, ObjectValue>()
  for (const [name, global] of Object.entries(globals)) {
    const real = Reflect.get(globalThis, name) as { readonly prototype?: object } | undefined
    if (global.kind !== 'native' || !/^[A-Z]/.test(name) || real?.prototype === undefined) continue
    const prototype = object(undefined)
    for (const [key, value] of realMembers(real.prototype)) {
      const member = key === 'constructor' ? { value: global } : memberOf(m, name, key, value)
      prototype.members.set(key, { ...member, at: undefined, hidden: true })
    }
    // The same function as `values` or `entries`.
    const iterator = Object(Reflect.get(real.prototype, Symbol.iterator)) as { name?: string }
    const named = prototype.members.get(iterator.name ?? '')
    if (named !== undefined) prototype.members.set(Symbol.iterator, named)
    prototypes.set(name, prototype)
    global.members.set('prototype', { value: prototype, at: undefined, hidden: true })
    for (const key of Reflect.ownKeys(real)) {
      if (global.members.has(key)) continue
      const value: unknown = Reflect.getOwnPropertyDescriptor(real, key)?.value
      const isConstant = key === 'name' || key === 'length'
      const member = isConstant
        ? primitive(value as Scalar, undefined)
        : unknown(`the build cannot evaluate \`${name}.${String(key)}\``, m.entryFile)
      global.members.set(key, { value: member, at: undefined, hidden: true })
    }
  }
  for (const [name, prototype] of prototypes) {
    if (/.Error$/.test(name)) prototype.proto = prototypes.get('Error')
  }
}

/** Returns the members of an object of JavaScript: accessors without their value. */
function realMembers(owner: object): [string, unknown][] {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(owner))
  return descriptors.map(([key, { value }]): [string, unknown] => [key, value])
}

function memberOf(m: Machine, name: string, key: string, real: unknown): Omit<Member, 'at'> {
  const fullName = `${name}.prototype.${key}`
  const missing = unknown(`the build cannot evaluate \`${fullName}\``, m.entryFile)
  const implemented = methods[name] ?? {}
  const method = Object.hasOwn(implemented, key) ? implemented[key] : undefined
  if (method !== undefined) {
    const value = builtin(m, fullName, method)
    return typeof real === 'function' ? { value } : { value: undefinedValue, getter: value }
  }
  if (typeof real !== 'function') {
    return { value: real === undefined ? missing : primitive(real as Scalar, undefined) }
  }
  // Other values would be converted, or the interpreter lacks the method.
  const call: Builtin = ({ self, at }, ...args) =>
    forEachOption(m, m.known(self), at, (one) =>
      one.kind === 'primitive' && typeof one.value === name.toLowerCase()
        ? m.call(m.get(one, primitive(key, at), at), one, args, at)
        : m.external.callUnknown(missing, args, at),
    )
  return { value: builtin(m, fullName, call) }
}
