import type { Node } from '../project.ts'
import { distribute } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { errorName } from '../values/thrown.ts'
import { blame, isCallable, primitive, unknown } from '../values/index.ts'
import type { NativeValue, ObjectValue, Value } from '../values/index.ts'

/** `left instanceof right` */
export function instanceOf(m: Machine, left: Value, right: Value, at: Node): Value {
  return distribute(m, right, at, (wanted) =>
    m.known(left).kind === 'choice'
      ? distribute(m, m.known(left), at, (value) => isInstance(m, value, wanted, at))
      : isInstance(m, m.known(left), wanted, at),
  )
}

function isInstance(m: Machine, value: Value, wanted: Value, at: Node): Value {
  if (value.kind === 'primitive') return primitive(false, at)
  if (value.kind === 'unknown') return blame(value, at)
  if (wanted.kind === 'unknown') return blame(wanted, at)
  if (wanted.kind === 'native') {
    const answer = m.modules.global(wanted.name) === wanted ? ofBuiltin(value, wanted) : undefined
    if (answer !== undefined) return primitive(answer, at)
  }
  const last = value.kind === 'object' ? classesOf(value).at(-1)?.kind : undefined
  const isFollowed = last === 'class' || last === 'native'
  if (isFollowed && isOutsideGlobal(wanted)) return primitive(false, at)
  if (value.kind === 'deferred' || wanted.kind === 'deferred') {
    return m.deferrals.code('(value, wanted) => value instanceof wanted', [value, wanted], at)
  }
  if (wanted.kind === 'class') {
    return primitive(value.kind === 'object' && classesOf(value).includes(wanted), at)
  }
  const answer = wanted.kind === 'function' ? inherits(m, value, wanted, at) : undefined
  if (answer !== undefined) return primitive(answer, at)
  return unknown('`instanceof` asks for a class that is not in the source', at)
}

/** Whether an object has what a constructor function gives its objects; `undefined` when that is not known. */
function inherits(m: Machine, value: Value, wanted: Value, at: Node): boolean | undefined {
  const prototype = m.get(wanted, primitive('prototype', at), at)
  if (prototype.kind !== 'object') return undefined
  if (value.kind === 'array' || isCallable(value)) return false
  for (let one: Value = value; one.kind === 'object';) {
    if (one.base !== undefined || one.exotic !== undefined) return undefined
    if (one.proto === undefined) return false
    if (one.proto === prototype) return true
    // `null`
    if (one.proto.kind === 'primitive') return false
    one = one.proto
  }
  return undefined
}

/** Whether it is a constructor of JavaScript whose objects only real code makes. */
function isOutsideGlobal(wanted: Value): boolean {
  if (wanted.kind !== 'deferred' || wanted.source.op !== 'code') return false
  return wanted.source.operands.length === 0
}

/** For a constructor of JavaScript itself; `undefined` when only real code can tell. */
function ofBuiltin(value: Value, { name }: NativeValue): boolean | undefined {
  if (value.kind === 'deferred' || value.kind === 'instance' || value.kind === 'namespace') {
    return undefined
  }
  if (value.kind !== 'object') {
    return name === 'Object' || name === (value.kind === 'array' ? 'Array' : 'Function')
  }
  const made = value.class === undefined ? errorName(value) : classesOf(value).at(-1)
  if (typeof made === 'string') return name === 'Object' || isKindOfError(made, name)
  if (made?.kind === 'native') return name === 'Object' || isKindOfError(made.name, name)
  if (made !== undefined) return name === 'Object' || (made.kind === 'class' ? false : undefined)
  if (value.exotic !== undefined || value.base !== undefined) return undefined
  if (value.proto !== undefined) {
    const first = firstOf(value)
    if (first?.kind === 'primitive') return false
    return name === 'Object' && first?.kind === 'object' ? true : undefined
  }
  if (value.collection === undefined) return name === 'Object'
  // Weak collections are followed as the others are.
  if (name.startsWith('Weak')) return undefined
  return name === 'Object' || name.toLowerCase() === value.collection.kind
}

/** Where the objects end that an object inherits from: `null` says that there is no more. */
function firstOf(value: ObjectValue): Value {
  for (let one = value; ;) {
    if (one.proto?.kind !== 'object') return one.proto ?? one
    one = one.proto
  }
}

function isKindOfError(made: string, name: string): boolean {
  return made === name || (name === 'Error' && made.endsWith('Error'))
}

/** The class of an object and those that it extends. */
function classesOf({ class: own }: ObjectValue): Value[] {
  const found: Value[] = []
  for (let one: Value | undefined = own; one !== undefined;) {
    found.push(one)
    one = one.kind === 'class' ? one.parent : undefined
  }
  return found
}
