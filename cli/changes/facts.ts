/** Derives facts about the values of an alternative. */
import { alternativesOf, has, listOf, type Alternative } from './alternatives.ts'
import { isMembers, type Members } from '../../compiler/util/json.ts'
import { innerNode, isSame, membersOf, type SchemaNode } from './nodes.ts'

/** Collects the values of a keyword from all atoms, each with its node. */
export function usesOf(
  { atoms }: Alternative,
  keyword: string,
): readonly { readonly node: SchemaNode; readonly value: unknown }[] {
  return atoms.flatMap((node) => {
    const value = membersOf(node)[keyword]
    return value === undefined ? [] : [{ node, value }]
  })
}

/** Returns whether an atom has the keyword with an equal value. */
export function hasEqual({ atoms }: Alternative, keyword: string, value: SchemaNode): boolean {
  return atoms.some((atom) => isSame(innerNode(atom, membersOf(atom)[keyword]), value))
}

/** Returns the strictest value of a keyword that sets a lower bound. */
export function highest(one: Alternative, keyword: string): number | undefined {
  return numbersOf(one, keyword).at(-1)
}

/** Returns the strictest value of a keyword that sets an upper bound. */
export function lowest(one: Alternative, keyword: string): number | undefined {
  return numbersOf(one, keyword)[0]
}

/** Returns the numeric values of a keyword in ascending order. */
function numbersOf(one: Alternative, keyword: string): readonly number[] {
  return usesOf(one, keyword)
    .map(({ value }) => value)
    .filter((value) => typeof value === 'number')
    .sort((a, b) => a - b)
}

export function isRequired(one: Alternative, name: string): boolean {
  return usesOf(one, 'required').some(({ value }) => listOf(value).includes(name))
}

/** Returns the declared names, or with `patternProperties` the declared patterns. */
export function declaredNames(
  one: Alternative,
  keyword: 'properties' | 'patternProperties' = 'properties',
): readonly string[] {
  const rules = usesOf(one, keyword).map(({ value }) => value)
  return [...new Set(rules.filter(isMembers).flatMap(Object.keys))]
}

/**
 * Returns what undeclared members may be; undefined if there are none. If a schema declares members and says
 * nothing of others, we assume that there are no others.
 */
export function undeclaredNodes(one: Alternative): readonly SchemaNode[] | undefined {
  const rules = usesOf(one, 'additionalProperties')
  if (rules.some(({ value }) => value === false)) return undefined
  if (rules.length > 0) return rules.map(({ node, value }) => innerNode(node, value))
  const declares = ['properties', 'patternProperties'].some((word) => usesOf(one, word).length > 0)
  return declares ? undefined : []
}

/** Returns all schemas that apply to a member. */
export function memberNodes(one: Alternative, name: string): readonly SchemaNode[] {
  return one.atoms.flatMap((node) => {
    const { properties, patternProperties, additionalProperties } = membersOf(node)
    const byName =
      isMembers(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    const byPattern = Object.entries(isMembers(patternProperties) ? patternProperties : {})
      .filter(([pattern]) => matches(pattern, name))
      .map(([, schema]) => schema)
    const found = [...byName, ...byPattern]
    if (found.length === 0 && additionalProperties !== undefined && additionalProperties !== false)
      found.push(additionalProperties)
    return found.map((schema) => innerNode(node, schema))
  })
}

/** Returns all schemas that apply to members whose names match a declared pattern. */
export function patternNodes(one: Alternative, pattern: string): readonly SchemaNode[] {
  return usesOf(one, 'patternProperties').flatMap(({ node, value }) =>
    isMembers(value) && Object.hasOwn(value, pattern) ? [innerNode(node, value[pattern])] : [],
  )
}

export function tupleLength(one: Alternative): number {
  return Math.max(0, ...one.atoms.map((node) => tupleOf(membersOf(node)).length))
}

export function itemNodes(one: Alternative, index: number): readonly SchemaNode[] {
  return one.atoms.flatMap((node) => {
    const schema = itemSchema(membersOf(node), index)
    return schema === undefined ? [] : [innerNode(node, schema)]
  })
}

export function itemSchema(members: Members, index: number): unknown {
  const tuple = tupleOf(members)
  if (index < tuple.length) return tuple[index]
  const { items, additionalItems } = members
  return Array.isArray(items) ? additionalItems : items
}

export function tupleOf({ items, prefixItems }: Members): readonly unknown[] {
  return Array.isArray(items) ? (items as unknown[]) : listOf(prefixItems)
}

/** Matches a pattern as Ajv does. An invalid pattern matches everything, so that it is compared. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}

/** Nesting depth to compare, which is enough for discriminators. */
const DEPTH = 3

/** Returns true if no value can match both: their types or listed values differ, or those of a member that both require. */
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
  // Type coercion may change any type but `object`.
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
