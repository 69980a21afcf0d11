/** Properties that the interpreter computes when they are read: of primitive values, and built-in ones such as `fn.name`. */
import { distribute, distributeAll } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import {
  unknownFrom,
  isCallable,
  native,
  present,
  primitive,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type {
  ArrayValue,
  FunctionValue,
  Key,
  Member,
  ObjectValue,
  Primitive,
  Value,
} from '../values/index.ts'
import { ts, type Node } from '../../util/source/project.ts'
import { hasOwnMember, indexOf, readMember } from '../values/properties.ts'
import { attempt, mayThrow } from '../values/thrown.ts'
import { methodCode } from '../../sandbox/protocol.ts'
import { isIterator, iteratorMember } from './lists/iteration.ts'
import { toPlain, toValue } from './plain.ts'

/** Reads properties of strings, numbers and other primitives. Methods are called for real when all arguments are known. */
export function memberOfPrimitive(m: Machine, owner: Primitive, key: Key, at: Node): Value {
  const { value } = owner
  if (value === undefined || value === null) {
    const why = unknown(`\`${String(key)}\` is read of something that is ${value} here`, at)
    mayThrow(m, why, at)
    return why
  }
  const patched = patchedMember(m, value, key)
  if (patched !== undefined) return readMember(m, owner, patched, at)
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

/** Returns a member that the application or a package has added to `String.prototype` and the like, or replaced there. */
function patchedMember(m: Machine, value: unknown, key: Key): Member | undefined {
  const { name } = (value as object).constructor
  const prototype = m.get(m.modules.global(name), primitive('prototype', undefined), m.entryFile)
  const member = prototype.kind === 'object' ? prototype.members.get(key) : undefined
  return member?.at === undefined ? undefined : member
}

function callMember(
  m: Machine,
  owner: Primitive,
  key: Key,
  member: (...args: unknown[]) => unknown,
  given: readonly Value[],
  at: Node,
): Value {
  const givenValues = given.map((arg) => m.known(arg))
  // Only real code can use a regular expression, for example.
  if (givenValues.some((arg) => arg.kind === 'deferred')) {
    return m.deferrals.code(methodCode, [owner, primitive(key, at), ...given], at)
  }
  let cause: Value | undefined
  const plainOf = (value: Value): unknown => {
    const plain = toPlain(m, value)
    if (plain.ok) return plain.value
    cause ??= plain.cause
    return undefined
  }
  // An interpreted callback of `replace` and the like takes and returns plain values.
  const callbackOf =
    (callee: Value) =>
    (...plain: unknown[]): unknown => {
      const args = plain.map((arg) => toValue(arg, at))
      return plainOf(m.known(m.call(callee, undefinedValue, args, at)))
    }
  const args = givenValues.map((arg) => (isCallable(arg) ? callbackOf(arg) : plainOf(arg)))
  const call = (): unknown => Reflect.apply(member, owner.value, args)
  const result = cause === undefined ? attempt(call, at) : undefined
  if (cause === undefined) return toValue(result, at)
  return cause.kind === 'unknown'
    ? unknownFrom(cause, at)
    : unknown('a method of a string gets a value that is not known', at)
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}

/** Reads a property that the value has without being stored in its `members`, such as the length of a list. */
export function builtinMember(m: Machine, owner: Value, key: Key, at: Node): Value | undefined {
  switch (owner.kind) {
    case 'array': {
      const index = key === 'length' ? undefined : indexOf(key)
      if (key !== 'length' && index === undefined) return undefined
      return distribute(m, owner, at, (one) => {
        const { elements, uncertainty } = one as ArrayValue
        if (uncertainty !== undefined) return uncertainty
        return index === undefined ? primitive(elements.length, at) : present(elements[index])
      })
    }
    case 'object':
      return isIterator(owner) ? iteratorMember(m, owner, key) : undefined
    case 'class':
      if (key === 'prototype') return owner.prototype
      if (key === 'length') return primitive(lengthOf(owner.node.members.find(isConstructor)), at)
      return key === 'name' && owner.name !== '' ? primitive(owner.name, at) : undefined
    case 'function':
      if (key === 'prototype' && hasOwnMember(owner, key)) return newPrototype(m, owner, at)
      if (key === 'length')
        return primitive(Math.max(lengthOf(owner.node) - owner.boundArguments.length, 0), at)
      return key === 'name' ? primitive(owner.name, at) : undefined
    case 'native':
      if (key === 'length') return primitive(0, at)
      return key === 'name' ? primitive(owner.name.split('.').at(-1), at) : undefined
    default:
      return undefined
  }
}

function isConstructor(node: ts.ClassElement): node is ts.ConstructorDeclaration {
  return ts.isConstructorDeclaration(node) && node.body !== undefined
}

/** Counts the parameters before the first one with a default value, or the rest parameter. */
function lengthOf(node: ts.SignatureDeclaration | undefined): number {
  const parameters = (node?.parameters ?? []).filter(({ name }) => name.getText() !== 'this')
  const end = parameters.findIndex(
    (one) => one.initializer !== undefined || one.dotDotDotToken !== undefined,
  )
  return end === -1 ? parameters.length : end
}

function newPrototype(m: Machine, owner: FunctionValue, at: Node): Value {
  const members = new Map([['constructor', { value: owner, at, hidden: true }]])
  const value: ObjectValue = { kind: 'object', members, base: undefined, proto: undefined, at }
  m.journal.setMember(owner, 'prototype', { value, at, hidden: true })
  return value
}
