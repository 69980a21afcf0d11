/**
 * fast-json-stringify 5, which Fastify 4.21 serializes with, looks at nothing beside a `$ref`. Version 7 merges
 * what stands there into the schema that is referred to.
 */
import { copySchema } from './copy.ts'

type Json = Record<string, unknown>

/** Members whose values are schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** Members whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/**
 * A copy in which what stands beside a `$ref` can be referred to by its path, but does not show when members are
 * counted up. A `$comment` does, so that such a schema is not taken for a mere reference: Ajv still reads all of it.
 */
export function hideUnserialized<T>(schema: T): T {
  const copy = copySchema(schema)
  hideIn(copy)
  return copy
}

function hideIn(schema: unknown): void {
  if (schema === null || typeof schema !== 'object') return
  for (const [key, member] of Object.entries(schema)) {
    if (DATA.has(key)) continue
    if (MAPS.has(key) && member !== null && typeof member === 'object') {
      Object.values(member as object).forEach(hideIn)
    } else {
      hideIn(member)
    }
  }
  const { $ref } = schema as Json
  if (typeof $ref === 'string') hideSiblings(schema as Json)
}

function hideSiblings(schema: Json): void {
  const siblings = Object.keys(schema).filter((key) => key !== '$ref')
  // An `$id` further down is looked up by counting up members.
  if (siblings.length === 0 || JSON.stringify(schema).includes('"$id"')) return
  for (const key of siblings) Object.defineProperty(schema, key, { enumerable: false })
  Object.defineProperty(schema, '$comment', {
    value: '',
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
