import { isPart } from '../../../runtime/artifact/normalize.ts'
import { routeParts } from '../../../runtime/artifact/handles/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** What of a route's schema makes functions, as JSON; `undefined` for what no handle may stand for. */
export function partsOf(schema: Fields): string | undefined {
  const members = Object.entries(schema).filter(([name]) => routeParts.has(name))
  const areParts = members.every(([name, part]) => (name === 'response' ? !!part : isPart(part)))
  return areParts && members.length > 0 ? JSON.stringify(Object.fromEntries(members)) : undefined
}

/** Whether the schema of a part stays as it is when its route is normalised. */
export function isCompletePart(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  const { type, content } = schema as Fields
  return !!type && content === undefined
}
