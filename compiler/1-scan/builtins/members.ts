/** Built-in methods and properties of values, such as `list.map` and `fn.name`. */
import { hasOwn } from '../values/presence.ts'
import { listItems } from './lists/iteration.ts'
import { limitOptional, distribute, distributeAll } from '../values/distribution.ts'
import { changeUnlessRefused, mayBeRestricted } from '../values/restrictions.ts'
import type { Machine } from '../values/machine.ts'
import {
  unknownFrom,
  isCallable,
  native,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type {
  ArrayValue,
  ClassValue,
  FunctionValue,
  NativeValue,
  ObjectValue,
  Primitive,
  Value,
} from '../values/index.ts'
import type { Node } from '../project.ts'
import { attempt, errorName, mayThrow } from '../values/thrown.ts'
import { arrayMethods } from './lists/array.ts'
import type { ArrayMethod } from './lists/callbacks.ts'
import { methodCode } from '../sandbox/operations.ts'
import { collectionMember } from './lists/collections.ts'
import { toPlain, toValue } from './plain.ts'
import { builtinOf } from './reflection.ts'

type Key = string | symbol

/** Reads properties of strings, numbers and other primitives. Methods are called for real when all arguments are known. */
export function memberOfPrimitive(m: Machine, owner: Primitive, key: Key, at: Node): Value {
  const { value } = owner
  if (value === undefined || value === null) {
    const why = unknown(`\`${String(key)}\` is read of something that is ${value} here`, at)
    mayThrow(m, why, at)
    return why
  }
  const promised = promiseMember(m, owner, key)
  if (promised !== undefined) return promised
  const member = (Object(value) as Record<Key, unknown>)[key]
  if (key === 'constructor' && isFunction(member)) return m.modules.global(member.name)
  if (!isFunction(member)) return toValue(member, at)
  if (typeof key === 'string' && key.startsWith('toLocale')) {
    return native(key, (call) => unknown('it depends on the locale of the machine', call.at))
  }
  return native(String(key), (call) =>
    distributeAll(m, call.args, call.at, (args) =>
      callMember(m, owner, key, member, args, call.at),
    ),
  )
}

function callMember(
  m: Machine,
  owner: Primitive,
  key: Key,
  member: (...args: unknown[]) => unknown,
  given: readonly Value[],
  at: Node,
): Value {
  const known = given.map((arg) => m.known(arg))
  // Only real code can use a regular expression, for example.
  if (known.some((arg) => arg.kind === 'deferred')) {
    return m.deferrals.code(methodCode, [owner, primitive(key, at), ...given], at)
  }
  const args: unknown[] = []
  for (const arg of known) {
    const plain = isCallable(arg) ? undefined : toPlain(m, arg)
    if (plain === undefined) args.push(callbackOf(m, arg, at))
    else if (plain.ok) args.push(plain.value)
    else {
      const cause = known.find((one) => one.kind === 'unknown')
      return cause === undefined
        ? unknown('a method of a string gets a value that is not known', at)
        : unknownFrom(cause, at)
    }
  }
  const result: unknown = attempt(() => Reflect.apply(member, owner.value, args) as unknown, at)
  return toValue(result, at)
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

/** Wraps an interpreted callback of `replace` and the like, which takes and returns plain values. */
function callbackOf(m: Machine, callee: Value, at: Node): (...args: unknown[]) => unknown {
  return (...plain) => {
    const args = plain.map((arg) => toValue(arg, at))
    const result = m.known(m.call(callee, undefinedValue, args, at))
    return result.kind === 'primitive' ? result.value : undefined
  }
}

function realGlobal(name: string): { readonly prototype?: object } | undefined {
  return Reflect.get(globalThis, name) as { prototype?: object } | undefined
}

/** Methods that change a list. */
const changing = new Map(
  Object.entries({
    push: 'add',
    unshift: 'add',
    splice: 'add',
    pop: 'delete',
    shift: 'delete',
    copyWithin: 'write',
    fill: 'write',
    reverse: 'write',
    sort: 'write',
  } as const),
)

export function memberOfArray(m: Machine, owner: ArrayValue, key: Key, at: Node): Value {
  if (key === 'length') {
    return distribute(m, owner, at, (one) => {
      const list = one as ArrayValue
      return list.uncertainty ?? primitive(list.elements.length, at)
    })
  }
  if (typeof key === 'string' && Object.hasOwn(arrayMethods, key)) {
    const method = arrayMethods[key] as ArrayMethod
    return native(key, ({ thisValue, args, at: place }) =>
      thisValue.kind === 'array'
        ? callArrayMethod(m, thisValue, key, method, args, place)
        : unknown('an array method is called without an array', place),
    )
  }
  if (key === 'constructor') return m.modules.global('Array')
  if (typeof key === 'string' && key in Array.prototype) {
    return unknown(`the build cannot evaluate \`${key}\` of a list`, at)
  }
  return promiseMember(m, owner, key) ?? primitive(undefined, at)
}

function callArrayMethod(
  m: Machine,
  list: ArrayValue,
  key: string,
  method: ArrayMethod,
  args: Value[],
  at: Node,
): Value {
  const apply = (): Value =>
    distribute(m, list, at, (one) => method(m, one as ArrayValue, args, at))
  const type = changing.get(key)
  if (type === undefined) return apply()
  const run = (): Value => {
    // Appending doesn't change existing elements, so a list with optional elements isn't split.
    if (key === 'push' || key === 'unshift') return method(m, list, args, at)
    list.uncertainty ??= (limitOptional(m, list) as ArrayValue).uncertainty
    return apply()
  }
  if (!mayBeRestricted(list)) return run()
  let result: Value = unknown('whether the list can be changed depends on a condition', at)
  changeUnlessRefused(m, list, { type, key: undefined }, at, () => {
    result = run()
  })
  return result
}

/** Reads inherited properties of objects: of `Object.prototype`, maps, sets and promises. */
export function memberOfCollection(m: Machine, owner: ObjectValue, key: Key, at: Node): Value {
  const own = collectionMember(m, owner, key, at)
  if (own !== undefined) return own
  switch (key) {
    case 'hasOwnProperty':
    case 'propertyIsEnumerable':
      return native(key, ({ args }) => hasOwn(m, owner, args[0] ?? undefinedValue, at))
    case 'toString':
      return native(key, () => primitive('[object Object]', at))
    case 'valueOf':
      return native(key, () => owner)
    case 'constructor':
      return owner.class ?? m.modules.global(errorName(owner) ?? builtinOf(owner))
    default:
      return promiseMember(m, owner, key) ?? missing(m, builtinOf(owner), key, at)
  }
}

/** Reads a member that was never set. Built-in members that aren't implemented are unknown. */
function missing(m: Machine, builtin: string, key: Key, at: Node): Value {
  const own = typeof key === 'string' && key in (realGlobal(builtin)?.prototype ?? {})
  if (!own) return primitive(undefined, at)
  return key === 'constructor'
    ? m.modules.global(builtin)
    : unknown(`the build cannot evaluate \`${key}\``, at)
}

/** Reads `then`, `catch` and `finally`: a promise is represented by the value that it is fulfilled with. */
export function promiseMember(m: Machine, owner: Value, key: Key): Value | undefined {
  if (key !== 'then' && key !== 'catch' && key !== 'finally') return undefined
  return native(key, ({ args, at }) => {
    const [callback] = args
    if (key === 'then' && callback !== undefined && isCallable(callback)) {
      return m.call(callback, undefinedValue, [owner], at)
    }
    if (key === 'finally' && callback !== undefined) m.call(callback, undefinedValue, [], at)
    return owner
  })
}

type Callable = FunctionValue | NativeValue | ClassValue

export function memberOfFunction(m: Machine, owner: Callable, key: Key, at: Node): Value {
  switch (key) {
    case 'call':
      return native(key, ({ args: [thisValue = undefinedValue, ...args], at: place }) =>
        m.call(owner, thisValue, args, place),
      )
    case 'apply':
      return native(key, ({ args: [thisValue = undefinedValue, list], at: place }) => {
        const items = list === undefined ? [] : listItems(m, list, place)
        return m.call(owner, thisValue, Array.isArray(items) ? items : [items], place)
      })
    case 'constructor':
      return m.modules.global('Function')
    case 'bind':
      return native(key, ({ args: [thisValue = undefinedValue, ...args] }) =>
        bound(m, owner, thisValue, args),
      )
    case 'name':
      return primitive(owner.name, at)
    case 'length':
      return primitive(owner.kind === 'function' ? owner.node.parameters.length : 0, at)
    case 'prototype':
      return owner.kind === 'function' ? prototypeOf(m, owner, at) : primitive(undefined, at)
    case 'hasOwnProperty':
      return native(key, ({ args }) => hasOwn(m, owner, args[0] ?? undefinedValue, at))
    default:
  }
  const promised = promiseMember(m, owner, key)
  if (promised !== undefined) return promised
  const real = owner.kind === 'native' ? realGlobal(owner.name) : undefined
  return typeof real === 'function' && key in real
    ? unknown(`the build cannot evaluate \`${owner.name}.${String(key)}\``, at)
    : missing(m, 'Function', key, at)
}

function bound(m: Machine, owner: Callable, thisValue: Value, args: readonly Value[]): Value {
  if (owner.kind === 'class') return owner
  if (owner.kind === 'native') {
    return native(owner.name, (call) => m.call(owner, thisValue, [...args, ...call.args], call.at))
  }
  const boundArguments = [...owner.boundArguments, ...args]
  return { ...owner, members: new Map(owner.members), boundThis: thisValue, boundArguments }
}

function prototypeOf(m: Machine, owner: FunctionValue, at: Node): Value {
  const members = new Map([['constructor', { value: owner, at, hidden: true }]])
  const value: ObjectValue = { kind: 'object', members, base: undefined, proto: undefined, at }
  m.journal.setMember(owner, 'prototype', { value, at, hidden: true })
  return value
}
