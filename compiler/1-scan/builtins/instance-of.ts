/** The operator `instanceof`. */
import type { Node } from '../project.ts'
import { distribute, distributeChoice } from '../values/distribution.ts'
import type { Machine } from '../values/machine.ts'
import { unknownFrom, primitive, unknown, type Value } from '../values/index.ts'
import { getPrototypeOf } from './reflection.ts'

export function instanceOf(m: Machine, left: Value, right: Value, at: Node): Value {
  const value = m.known(left)
  return distribute(m, right, at, (wanted) =>
    distributeChoice(m, value, at, (one) => isInstance(m, one, wanted, at)),
  )
}

function isInstance(m: Machine, value: Value, wanted: Value, at: Node): Value {
  if (value.kind === 'primitive') return primitive(false, at)
  if (value.kind === 'unknown') return unknownFrom(value, at)
  if (wanted.kind === 'unknown') return unknownFrom(wanted, at)
  const isKnown = inherits(m, value, m.modules.global('Object'), at) !== undefined
  if (isKnown && isOutsideGlobal(wanted)) return primitive(false, at)
  if (value.kind === 'deferred' || wanted.kind === 'deferred') {
    return m.deferrals.code('(value, wanted) => value instanceof wanted', [value, wanted], at)
  }
  const answer = inherits(m, value, wanted, at)
  return answer === undefined
    ? unknown('`instanceof` asks for a class that is not in the source', at)
    : primitive(answer, at)
}

/** Returns whether a value inherits from `wanted.prototype`; `undefined` when that isn't known. */
function inherits(m: Machine, value: Value, wanted: Value, at: Node): boolean | undefined {
  const prototype = m.get(wanted, primitive('prototype', at), at)
  if (prototype.kind !== 'object') return undefined
  for (let one = value; ;) {
    if (one.kind === 'object') {
      if (one.base !== undefined || one.computeMember !== undefined) return undefined
      // Weak collections are represented like the others.
      if (one.collection && wanted.kind === 'native' && wanted.name.startsWith('Weak')) {
        return undefined
      }
    }
    one = getPrototypeOf(m, [one], at)
    if (one === prototype) return true
    // `null`
    if (one.kind === 'primitive') return false
    if (one.kind === 'unknown' || one.kind === 'deferred') return undefined
  }
}

/** Returns whether it is a built-in constructor that the interpreter doesn't implement. */
function isOutsideGlobal(wanted: Value): boolean {
  if (wanted.kind !== 'deferred' || wanted.source.op !== 'code') return false
  return wanted.source.operands.length === 0
}
