/**
 * Lower-cases header names in header schemas, because Node reports headers in lower case (RFC 9110, 5.1).
 *
 * Regular expressions stay unchanged. Shared schemas are changed where header schemas are compiled (units.ts).
 */
import { propertyTables, schemaKeywords, schemaTables } from './keywords.ts'
import type { FastifyLine } from './lines.ts'

/** Changes the value of a member. */
type Change = (value: unknown) => unknown

/** Returns the schema with header names in lower case. Unchanged parts stay the same objects. */
export function lowerCaseHeaders<T>(schema: T): T {
  return lowerSchema(schema, new Set(), false) as T
}

/**
 * Lower-cases a header schema that is a plain object as a release line of Fastify does. Compilers from Fastify's options, such as those of
 * `bridge/`, get header schemas unchanged.
 */
export const lowerHeaderNames: Readonly<Record<FastifyLine, (schema: object) => object>> = {
  'fastify@4': lowerAtTop,
  'fastify@5': (schema) => lowerSchema(schema, UNCHANGED_BY_FASTIFY_5, false) as object,
}

const UNCHANGED_BY_FASTIFY_5: ReadonlySet<string> = new Set([
  '$ref',
  'discriminator',
  'prefixItems',
])

/** Fastify 4 changes the top level only. */
function lowerAtTop(schema: object): object {
  return changeMembers(schema, (key, value) => {
    if (key === 'required') return lowerText(value)
    return key === 'properties' ? changeMembers(value, (_, one) => one, true) : value
  }) as object
}

/**
 * @param unchanged keywords whose values stay
 * @param areNames whether the schema is for names, so that compared values are header names
 */
function lowerSchema(schema: unknown, unchanged: ReadonlySet<string>, areNames: boolean): unknown {
  const inner = (one: unknown): unknown => lowerSchema(one, unchanged, areNames)
  if (Array.isArray(schema)) return changeList(schema, inner)
  return changeMembers(schema, (key, value) => {
    if (unchanged.has(key)) return value
    if (key === 'propertyNames') return lowerSchema(value, unchanged, true)
    if (key === 'contentSchema' || schemaKeywords.has(key)) return inner(value)
    if (propertyTables.has(key))
      return changeMembers(value, (_, one) => lowerNamesOrSchema(one, inner), true)
    if (schemaTables.has(key)) return changeMembers(value, (_, one) => inner(one))
    switch (key) {
      case 'required':
        return lowerText(value)
      case 'const':
      case 'enum':
        return areNames ? lowerText(value) : value
      case 'discriminator':
        return changeMembers(value, (name, one) => (name === 'propertyName' ? lowerText(one) : one))
      case '$ref':
        return typeof value === 'string' ? lowerPointer(value) : value
      default:
        return value
    }
  })
}

/** Changes a member of a table of properties: a schema or, in `dependencies`, a list of names. */
function lowerNamesOrSchema(value: unknown, inner: Change): unknown {
  return Array.isArray(value) ? lowerText(value) : inner(value)
}

/** Changes a text, or each text of a list. */
function lowerText(value: unknown): unknown {
  if (Array.isArray(value)) return changeList(value, lowerText)
  return typeof value === 'string' ? value.toLowerCase() : value
}

function changeList(list: readonly unknown[], change: Change): unknown {
  const changed = list.map(change)
  return changed.every((one, i) => one === list[i]) ? list : changed
}

/** @param isByHeader whether the member names are header names */
function changeMembers(
  value: unknown,
  change: (key: string, member: unknown) => unknown,
  isByHeader = false,
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  let isSame = true
  const changed = members.map(([key, member]) => {
    const name = isByHeader ? key.toLowerCase() : key
    const one = change(key, member)
    if (name !== key || one !== member) isSame = false
    return [name, one] as const
  })
  return isSame ? value : Object.fromEntries(changed)
}

/** Changes a pointer into a schema: `#/properties/X-Key`. */
function lowerPointer(reference: string): string {
  const start = reference.indexOf('#/')
  if (start === -1) return reference
  const segments = reference.slice(start).split('/')
  // After a keyword that maps names, the next segment is a name.
  for (let i = 1; i < segments.length; i++) {
    const keyword = segments[i] as string
    if (!propertyTables.has(keyword) && !schemaTables.has(keyword)) continue
    i++
    if (propertyTables.has(keyword) && i < segments.length) {
      segments[i] = (segments[i] as string).toLowerCase()
    }
  }
  return reference.slice(0, start) + segments.join('/')
}
