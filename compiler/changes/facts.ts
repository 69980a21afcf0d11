/** What is known of the values of an alternative. */
import type { Alternative } from './alternatives.ts'
import { listOf } from './alternatives.ts'
import type { SchemaNode } from './nodes.ts'
import { inner, isMembers, isSame, membersOf } from './nodes.ts'

/** The members of a keyword over all atoms, each with the node that it stands in. */
export function given(
  { atoms }: Alternative,
  keyword: string,
): readonly { readonly node: SchemaNode; readonly value: unknown }[] {
  return atoms.flatMap((node) => {
    const value = membersOf(node)[keyword]
    return value === undefined ? [] : [{ node, value }]
  })
}

/** Whether a keyword says the same already, wherever its references lead. */
export function stands({ atoms }: Alternative, keyword: string, value: SchemaNode): boolean {
  return atoms.some((atom) => isSame(inner(atom, membersOf(atom)[keyword]), value))
}

/** The strictest of a keyword that sets a lower bound. */
export function highest(one: Alternative, keyword: string): number | undefined {
  const numbers = given(one, keyword).flatMap(({ value }) =>
    typeof value === 'number' ? [value] : [],
  )
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** The strictest of a keyword that sets an upper bound. */
export function lowest(one: Alternative, keyword: string): number | undefined {
  const numbers = given(one, keyword).flatMap(({ value }) =>
    typeof value === 'number' ? [value] : [],
  )
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}

export function isRequired(one: Alternative, name: string): boolean {
  return given(one, 'required').some(({ value }) => listOf(value).includes(name))
}

/** The names that are declared. */
export function declaredNames(one: Alternative): readonly string[] {
  const names = given(one, 'properties').flatMap(({ value }) =>
    isMembers(value) ? Object.keys(value) : [],
  )
  return [...new Set(names)]
}

export function declaredPatterns(one: Alternative): readonly string[] {
  const patterns = given(one, 'patternProperties').flatMap(({ value }) =>
    isMembers(value) ? Object.keys(value) : [],
  )
  return [...new Set(patterns)]
}

/**
 * What members that are not declared may be; `undefined` when nobody sends any. Where members are declared and nothing is
 * said of others, we take it that there are none.
 */
export function others(one: Alternative): readonly SchemaNode[] | undefined {
  const rules = given(one, 'additionalProperties')
  if (rules.some(({ value }) => value === false)) return undefined
  if (rules.length > 0) return rules.map(({ node, value }) => inner(node, value))
  const declares = ['properties', 'patternProperties'].some((word) => given(one, word).length > 0)
  return declares ? undefined : []
}

/** All that holds for the member of a name. */
export function memberNodes(one: Alternative, name: string): readonly SchemaNode[] {
  return one.atoms.flatMap((node) => {
    const { properties, patternProperties, additionalProperties } = membersOf(node)
    const own = isMembers(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    const byPattern = Object.entries(isMembers(patternProperties) ? patternProperties : {})
      .filter(([pattern]) => matches(pattern, name))
      .map(([, schema]) => schema)
    const found = [...own, ...byPattern]
    if (found.length === 0 && additionalProperties !== undefined && additionalProperties !== false)
      found.push(additionalProperties)
    return found.map((schema) => inner(node, schema))
  })
}

/** All that holds for members whose names match a pattern that is declared. */
export function patternNodes(one: Alternative, pattern: string): readonly SchemaNode[] {
  return given(one, 'patternProperties').flatMap(({ node, value }) =>
    isMembers(value) && Object.hasOwn(value, pattern) ? [inner(node, value[pattern])] : [],
  )
}

/** How many items have a place of their own. */
export function placesOf(one: Alternative): number {
  return Math.max(0, ...one.atoms.map((node) => tupleOf(membersOf(node)).length))
}

/** All that holds for the item at a place. */
export function itemNodes(one: Alternative, index: number): readonly SchemaNode[] {
  return one.atoms.flatMap((node) => {
    const schema = itemSchema(membersOf(node), index)
    return schema === undefined ? [] : [inner(node, schema)]
  })
}

/** What a schema asks of the item at a place. */
export function itemSchema(members: Readonly<Record<string, unknown>>, index: number): unknown {
  const tuple = tupleOf(members)
  if (index < tuple.length) return tuple[index]
  const { items, additionalItems } = members
  return Array.isArray(items) ? additionalItems : items
}

export function tupleOf({
  items,
  prefixItems,
}: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(items) ? (items as unknown[]) : listOf(prefixItems)
}

/** A pattern as Ajv reads it; one that is none matches everything, which is then compared. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}
