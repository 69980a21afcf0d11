import { isPart } from '../../../runtime/artifact/normalize.ts'
import { routeParts } from '../../../runtime/artifact/lazy-schemas/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns the parts of a route's schema that are compiled, as JSON; `undefined` if a lazy schema can't replace it. */
export function partsOf(schema: Fields): string | undefined {
  const members = Object.entries(schema).filter(([name]) => routeParts.has(name))
  const areParts = members.every(([name, part]) => (name === 'response' ? !!part : isPart(part)))
  return areParts && members.length > 0 ? JSON.stringify(Object.fromEntries(members)) : undefined
}

/** Checks whether normalizing a route leaves the schema of a part unchanged. */
export function isCompletePart(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  const { type, content } = schema as Fields
  return !!type && content === undefined
}
