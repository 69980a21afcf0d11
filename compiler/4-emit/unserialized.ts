/**
 * fast-json-stringify 5, which Fastify 4.21 serializes with, looks at nothing beside a `$ref`. Version 7 merges
 * what stands there into the schema that is referred to.
 */
import { schemaTables } from '../../runtime/artifact/schema-tables.ts'
import { copySchema } from './copy.ts'

type Json = Record<string, unknown>

/** Members whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Begins the `$comment` that tells of what is hidden; the JSON of it follows. */
const HIDDEN = 'hidden beside the reference: '

/** In references of what is hidden, the schema that has no `$id`. Building it gives it a name. */
const UNNAMED = 'unnamed:'

/**
 * A copy in which what stands beside a `$ref` can be referred to by its path, but does not show when members are
 * counted up. A `$comment` does, so that such a schema is not taken for a mere reference: Ajv still reads all of it.
 * Merged schemas are made of what shows: `showUnserialized` brings the rest back.
 *
 * @param id what relative references are in, unless the schema has an `$id`
 */
export function hideUnserialized<T>(schema: T, id: string = UNNAMED): T {
  const copy = copySchema(schema)
  hideIn(copy, id)
  return copy
}

/**
 * The schema with everything that was hidden in those which it was merged of.
 *
 * @param name what the schema without an `$id` is called now
 */
export function showUnserialized(schema: unknown, name: string): unknown {
  if (!JSON.stringify(schema).includes(HIDDEN)) return schema
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const { $ref, $comment } = (value ?? {}) as Json
    if (typeof $ref !== 'string' || typeof $comment !== 'string') return value
    if (!$comment.startsWith(HIDDEN)) return value
    return { ...(JSON.parse($comment.slice(HIDDEN.length)) as object), $ref }
  })
  return JSON.parse(text, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(`${UNNAMED}#`)
      ? name + value.slice(UNNAMED.length)
      : value,
  )
}

function hideIn(schema: unknown, id: string): void {
  if (schema === null || typeof schema !== 'object') return
  const { $id, $ref } = schema as Json
  const base = typeof $id === 'string' && !$id.startsWith('#') ? $id : id
  for (const [key, member] of Object.entries(schema)) {
    if (DATA.has(key)) continue
    if (schemaTables.has(key) && member !== null && typeof member === 'object') {
      for (const one of Object.values(member as object)) hideIn(one, base)
    } else {
      hideIn(member, base)
    }
  }
  if (typeof $ref === 'string') hideSiblings(schema as Json, base)
}

function hideSiblings(schema: Json, base: string): void {
  const { $ref: _, ...siblings } = schema
  const text = JSON.stringify(siblings, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? base + value : value,
  )
  // An `$id` further down is looked up by counting up members.
  if (text === '{}' || text.includes('"$id"')) return
  for (const key of Object.keys(siblings)) {
    Object.defineProperty(schema, key, { enumerable: false })
  }
  Object.defineProperty(schema, '$comment', {
    value: HIDDEN + text,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
