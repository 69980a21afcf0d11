/** Replaces `nullable`, a keyword of Ajv and OpenAPI 3.0, by the type that OpenAPI 3.1 has for it. */
export function withTypesOfNull(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return convert(document) as Readonly<Record<string, unknown>>
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, convert(one)]))
  const { nullable, type } = members
  if (nullable !== true || (typeof type !== 'string' && !Array.isArray(type))) return members
  delete members['nullable']
  return { ...members, type: [...new Set([type, 'null'].flat())] }
}
