import type { Alternative } from './alternatives.ts'
import { alternativesOf, has } from './alternatives.ts'
import { declaredNames, isRequired, memberNodes } from './facts.ts'
import type { SchemaNode } from './nodes.ts'

/** Nesting depth to compare, which is enough for discriminators. */
const DEPTH = 3

/** Returns true if no value can match both: their types differ, or a member that both require does. */
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
  // With type coercion only objects keep their type.
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
