import { isPlainObject } from '../json.ts'

/** Returns a shared schema as Fastify gives it to compilers. Only copies schemas with `__proto__`: in copies, it sets the prototype. */
export function copyShared(schema: unknown): unknown {
  return JSON.stringify(schema)?.includes('"__proto__":') ? copyOf(schema) : schema
}

function copyOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copyOf)
  if (!isPlainObject(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = copyOf(value)
  return copy
}
