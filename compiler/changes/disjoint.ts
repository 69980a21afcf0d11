import type { Alternative } from './alternatives.ts'
import { alternativesOf, has } from './alternatives.ts'
import { declaredNames, isRequired, memberNodes } from './facts.ts'
import type { SchemaNode } from './nodes.ts'

/** Members are looked into this deep: that is enough for what tells alternatives apart. */
const DEPTH = 3

/** Whether no value is for sure accepted by both: their types differ, or a member that both require. */
export function areDisjoint(
  some: readonly Alternative[],
  node: SchemaNode,
  coerces: boolean,
): boolean {
  const others = alternativesOf([node])
  return some.every((one) => others.every((other) => arePairDisjoint(one, other, coerces, DEPTH)))
}

function arePairDisjoint(
  one: Alternative,
  other: Alternative,
  coerces: boolean,
  depth: number,
): boolean {
  // Where types are converted, only an object stays what it is.
  if (one.type !== other.type) return !coerces || [one.type, other.type].includes('object')
  if (one.values !== undefined && other.values !== undefined) {
    const { values } = other
    return !one.values.some((value) => has(values, value))
  }
  if (one.type !== 'object' || depth === 0) return false
  return declaredNames(one).some((name) => {
    if (!isRequired(one, name) || !isRequired(other, name)) return false
    const nodes = alternativesOf(memberNodes(one, name))
    const counterparts = alternativesOf(memberNodes(other, name))
    return nodes.every((a) => counterparts.every((b) => arePairDisjoint(a, b, coerces, depth - 1)))
  })
}
