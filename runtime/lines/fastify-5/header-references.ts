import { emitWarning } from '../../errors/warnings.ts'

/** Warns about references in a header schema: Fastify lowercases names of headers in it, but not in other schemas, nor in a definition for `propertyNames`. */
export function warnOfHeaderReferences(schema: object, method: unknown, url: string): void {
  const external = findReference(schema, (ref) => !ref.startsWith('#'))
  if (external !== undefined) emitWarning('FSTSEC002', method, url, external)
  const local = findReference(schema, (ref, areNames) => areNames && ref.startsWith('#'))
  if (local !== undefined) emitWarning('FSTSEC003', method, url, local)
}

type RefTest = (ref: string, areNames: boolean) => boolean

/** @param areNames whether the schema is within `propertyNames`, so that its values are names of headers */
function findReference(schema: unknown, matches: RefTest, areNames = false): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { $ref } = schema as { $ref?: unknown }
  if (typeof $ref === 'string' && matches($ref, areNames)) return $ref
  for (const [key, value] of Object.entries(schema)) {
    const found = findReference(value, matches, areNames || key === 'propertyNames')
    if (found !== undefined) return found
  }
  return undefined
}
