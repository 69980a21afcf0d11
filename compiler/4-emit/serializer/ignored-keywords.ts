/**
 * fast-json-stringify 5, which Fastify 4.21 serializes with, looks at nothing beside a `$ref`, and at no `if` without a `then`.
 * Version 7 merges what stands beside a `$ref` into the schema that is referred to, and heeds an `else` alone.
 */
import { createRequire } from 'node:module'
import { schemaTables } from '../../../runtime/artifact/annotations.ts'
import { copySchema } from '../copy-schema.ts'

type Json = Record<string, unknown>

/** What keeps the schemas of one serializer. */
interface SchemaKeeper {
  addSchema(this: SchemaKeeper, schema: unknown, id: string, isWhole?: boolean): void
}

/** The one that fast-json-stringify has. */
const { RefResolver } = createRequire(
  createRequire(import.meta.url).resolve('fast-json-stringify'),
)('json-schema-ref-resolver') as { RefResolver: { prototype: SchemaKeeper } }

/** Begins the name that a merged schema is given. */
const MERGED = '__fjs_merged_'

/** Members whose values are data, whatever they look like. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** Begins the `$comment` that tells of what is hidden; the JSON of it follows. */
const HIDDEN = 'hidden beside the reference: '

/** The name that an `if` without a `then` has while it is hidden. */
const HIDDEN_IF = 'hidden: if without then'

/** In references of what is hidden, the schema that has no `$id`. Building it gives it a name. */
const UNNAMED = 'unnamed:'

/**
 * A copy in which an `if` without a `then` has another name, and what stands beside a `$ref` can be referred to by its path, but
 * does not show when members are counted up. A `$comment` does, so that such a schema is not taken for a mere reference: Ajv
 * still reads all of it. Merged schemas are made of what shows: `showIgnored` brings the rest back.
 *
 * @param id what relative references are in, unless the schema has an `$id`
 */
export function hideIgnored<T>(schema: T, id: string = UNNAMED): T {
  const copy = copySchema(schema)
  hideIn(copy, id)
  return copy
}

/**
 * The schema with everything that was hidden in those which it was merged of.
 *
 * @param name what the schema without an `$id` is called now
 */
export function showIgnored(schema: unknown, name: string): unknown {
  const whole = JSON.stringify(schema)
  if (!whole.includes(HIDDEN) && !whole.includes(HIDDEN_IF)) return schema
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const { $ref, ...members } = (value ?? {}) as Json
    return typeof $ref === 'string' ? { ...shown(members), $ref } : withIf(value)
  })
  return JSON.parse(text, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(`${UNNAMED}#`)
      ? name + value.slice(UNNAMED.length)
      : value,
  )
}

/**
 * What `build` gives, a call of fast-json-stringify, with the same done to each schema that it merges: there too a
 * reference may come to stand beside something else, and version 5 looks at the reference alone.
 */
export function hidingInMerged<T>(build: () => T): T {
  const { addSchema } = RefResolver.prototype
  RefResolver.prototype.addSchema = function (schema, id, isWhole = true) {
    if (isWhole && id.startsWith(MERGED)) hideIn(schema, id)
    addSchema.call(this, schema, id, isWhole)
  }
  try {
    return build()
  } finally {
    RefResolver.prototype.addSchema = addSchema
  }
}

/** What stands beside a reference, with what is hidden there. */
function shown(members: Json): Json {
  const { $comment, ...others } = members
  if (typeof $comment !== 'string' || !$comment.startsWith(HIDDEN)) return members
  return { ...(JSON.parse($comment.slice(HIDDEN.length)) as Json), ...others }
}

/** With its `if` under its own name. */
function withIf(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !(HIDDEN_IF in value)) return value
  const { [HIDDEN_IF]: condition, ...members } = value
  return { ...members, if: condition }
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
  else if ('if' in schema && !(schema as Json)['then']) hideIf(schema)
}

function hideIf(schema: Json): void {
  schema[HIDDEN_IF] = schema['if']
  delete schema['if']
}

function hideSiblings(schema: Json, base: string): void {
  const { $ref: _, ...members } = schema
  const siblings = shown(members)
  const text = JSON.stringify(siblings, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? base + value : value,
  )
  // An `$id` further down is looked up by counting up members.
  if (text === '{}' || text.includes('"$id"')) return
  for (const key of Object.keys(members)) {
    Object.defineProperty(schema, key, { enumerable: false })
  }
  Object.defineProperty(schema, '$comment', {
    value: HIDDEN + text,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}
