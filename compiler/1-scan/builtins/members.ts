import { presence } from '../values/presence.ts'
import { listItems } from './lists/iteration.ts'
import { bounded, distribute, distributeAll } from '../values/distribution.ts'
import { changeIfAllowed, isRestricted } from '../values/integrity.ts'
import type { Change } from '../values/integrity.ts'
import type { Machine } from '../values/machine.ts'
import { blame, isCallable, native, primitive, undefinedValue, unknown } from '../values/index.ts'
import type {
  ArrayValue,
  ClassValue,
  FunctionValue,
  NativeValue,
  ObjectValue,
  Primitive,
  Unknown,
  Value,
} from '../values/index.ts'
import type { Node } from '../project.ts'
import { attempt, errorName, mayThrow } from '../values/thrown.ts'
import { arrayMethods } from './lists/array.ts'
import { methodCode } from '../sandbox/codes.ts'
import { collectionMember } from './lists/collections.ts'
import { toPlain, toValue } from './plain.ts'

type Key = string | symbol

/** Properties of texts and numbers: JavaScript's own are applied to what is known. */
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
    return native(key, (call) => unknown('it depends on the language of the machine', call.at))
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
  // A regular expression, say: only real code can use it.
  if (known.some((arg) => arg.kind === 'deferred')) {
    return m.deferrals.code(methodCode, [owner, primitive(key, at), ...given], at)
  }
  const args = known.map((arg) => (isCallable(arg) ? callbackOf(m, arg, at) : toPlainOf(m, arg)))
  if (args.includes(notPlain)) return unknownArgument(known, at)
  const result: unknown = attempt(() => Reflect.apply(member, owner.value, args) as unknown, at)
  return toValue(result, at)
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

function unknownArgument(args: readonly Value[], at: Node): Unknown {
  const cause = args.find((arg) => arg.kind === 'unknown')
  return cause === undefined
    ? unknown('a method of a text gets a value that is not known', at)
    : blame(cause, at)
}

const notPlain = Symbol('not plain')

function toPlainOf(m: Machine, value: Value): unknown {
  const plain = toPlain(m, m.known(value))
  return plain.ok ? plain.value : notPlain
}

/** A callback of `replace` and the like; it gets and gives plain values. */
function callbackOf(m: Machine, callee: Value, at: Node): (...args: unknown[]) => unknown {
  return (...args) => {
    const result = m.known(
      m.call(
        callee,
        undefinedValue,
        args.map((arg) => toValue(arg, at)),
        at,
      ),
    )
    return result.kind === 'primitive' ? result.value : undefined
  }
}

/** Methods that change the list itself. */
const changing: ReadonlySet<Key> = new Set([
  'copyWithin',
  'fill',
  'pop',
  'reverse',
  'shift',
  'sort',
  'splice',
])

/** What methods that change a list do to it. */
function changesOf(key: Key): readonly Change[] {
  if (key === 'push' || key === 'unshift') return ['add']
  if (key === 'pop') return ['delete']
  return key === 'shift' || key === 'splice' ? ['write', 'add', 'delete'] : ['write']
}

export function memberOfArray(
  m: Machine,
  owner: Extract<Value, { kind: 'array' }>,
  key: Key,
  at: Node,
): Value {
  if (key === 'length') {
    return distribute(m, owner, at, (one) => {
      const list = one as ArrayValue
      return list.doubt ?? primitive(list.elements.length, at)
    })
  }
  const method = typeof key === 'string' ? arrayMethods[key] : undefined
  if (method !== undefined && Object.hasOwn(arrayMethods, key)) {
    const apply = (list: ArrayValue, args: Value[], place: Node): Value =>
      distribute(m, list, place, (one) => method(m, one as ArrayValue, args, place))
    return native(String(key), ({ thisValue, args, at: place }) => {
      if (thisValue.kind !== 'array') {
        return unknown('an array method is called without an array', place)
      }
      const isAppending = key === 'push' || key === 'unshift'
      if (isAppending || changing.has(key)) {
        return changed(m, thisValue, key, place, () => {
          // Appending leaves what is there as it is, optional or not.
          if (isAppending) return method(m, thisValue, args, place)
          thisValue.doubt ??= (bounded(m, thisValue) as ArrayValue).doubt
          return apply(thisValue, args, place)
        })
      }
      return apply(thisValue, args, place)
    })
  }
  if (key === 'constructor') return m.modules.global('Array')
  if (typeof key === 'string' && key in Array.prototype) {
    return unknown(`\`${key}\` of a list is not followed`, at)
  }
  return promiseMember(m, owner, key) ?? primitive(undefined, at)
}

/** The result of a method that changes a list, which may be refused. */
function changed(m: Machine, list: ArrayValue, key: Key, at: Node, run: () => Value): Value {
  if (!isRestricted(list)) return run()
  let result: Value = unknown('whether the list can be changed depends on a condition', at)
  const change = (): void => {
    result = run()
  }
  changeIfAllowed(m, list, { changes: changesOf(key), key: undefined }, at, change)
  return result
}

/** What every object has: the methods of `Object.prototype`, of maps, sets and promises. */
export function memberOfCollection(m: Machine, owner: ObjectValue, key: Key, at: Node): Value {
  const own = collectionMember(m, owner, key, at)
  if (own !== undefined) return own
  switch (key) {
    case 'hasOwnProperty':
    case 'propertyIsEnumerable':
      return native(key, ({ args }) => {
        const name = m.known(args[0] ?? undefinedValue)
        return name.kind === 'primitive'
          ? presence(m, owner, String(name.value), at, 'own')
          : unknown('which property is asked for is not known', at)
      })
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

function builtinOf({ collection }: ObjectValue): string {
  if (collection === undefined) return 'Object'
  if (collection.kind === 'iterator') return 'Object'
  return collection.kind === 'map' ? 'Map' : 'Set'
}

/** A member that nobody has set: JavaScript's own are there, even those that are not followed. */
function missing(m: Machine, builtin: string, key: Key, at: Node): Value {
  const own = typeof key === 'string' && key in prototypesOf(builtin)
  if (!own) return primitive(undefined, at)
  return key === 'constructor'
    ? m.modules.global(builtin)
    : unknown(`\`${key}\` is not followed`, at)
}

function prototypesOf(builtin: string): object {
  return (globalThis as unknown as Record<string, { prototype: object }>)[builtin]?.prototype ?? {}
}

/** `await` is transparent, and so is a promise: its value is the value itself. */
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

export function memberOfFunction(
  m: Machine,
  owner: FunctionValue | NativeValue | ClassValue,
  key: Key,
  at: Node,
): Value {
  switch (key) {
    case 'call':
      return native(key, ({ args, at: place }) =>
        m.call(owner, args[0] ?? undefinedValue, args.slice(1), place),
      )
    case 'apply':
      return native(key, ({ args, at: place }) => {
        const list = args[1] === undefined ? [] : listItems(m, args[1], place)
        const given = Array.isArray(list) ? list : [list]
        return m.call(owner, args[0] ?? undefinedValue, given, place)
      })
    case 'constructor':
      return m.modules.global('Function')
    case 'bind':
      return native(key, ({ args }) => bound(m, owner, args))
    case 'name':
      return primitive(owner.name, at)
    case 'length':
      return primitive(owner.kind === 'function' ? owner.node.parameters.length : 0, at)
    case 'prototype':
      return owner.kind === 'function' ? prototypeOf(m, owner, at) : primitive(undefined, at)
    case 'hasOwnProperty':
      return native(key, ({ args }) => {
        const name = m.known(args[0] ?? undefinedValue)
        return name.kind === 'primitive'
          ? presence(m, owner, String(name.value), at, 'own')
          : unknown('which property is asked for is not known', at)
      })
    default:
      return promiseMember(m, owner, key) ?? missingStatic(m, owner, key, at)
  }
}

/** Functions of JavaScript itself have more than what is followed of them. */
function missingStatic(
  m: Machine,
  owner: FunctionValue | NativeValue | ClassValue,
  key: Key,
  at: Node,
): Value {
  const real: unknown =
    owner.kind === 'native'
      ? (globalThis as unknown as Record<string, unknown>)[owner.name]
      : undefined
  return typeof real === 'function' && key in real
    ? unknown(`\`${owner.name}.${String(key)}\` is not followed`, at)
    : missing(m, 'Function', key, at)
}

function bound(m: Machine, owner: FunctionValue | NativeValue | ClassValue, args: Value[]): Value {
  if (owner.kind === 'class') return owner
  if (owner.kind === 'function') {
    return {
      ...owner,
      members: new Map(owner.members),
      boundThis: args[0] ?? undefinedValue,
      boundArguments: [...owner.boundArguments, ...args.slice(1)],
    }
  }
  return native(owner.name, (call) =>
    m.call(owner, args[0] ?? undefinedValue, [...args.slice(1), ...call.args], call.at),
  )
}

function prototypeOf(m: Machine, owner: FunctionValue, at: Node): Value {
  const value: ObjectValue = {
    kind: 'object',
    members: new Map([['constructor', { value: owner, at, hidden: true }]]),
    base: undefined,
    proto: undefined,
    at,
  }
  m.journal.setMember(owner, 'prototype', { value, at, hidden: true })
  return value
}
