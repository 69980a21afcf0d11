/**
 * Hides keywords from fast-json-stringify 7 that version 5, which Fastify 4.21 uses, ignores: keywords beside a `$ref`, and an `if`
 * without a `then`. Version 7 merges the former into the referenced schema, and uses an `else` alone.
 */
import { createRequire } from 'node:module'
import { schemaTables } from '../../../runtime/artifact/keywords.ts'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'

type Json = Record<string, unknown>

/** The class by which fast-json-stringify resolves references. */
interface Resolver {
  /** @param isRoot false in its recursive calls */
  addSchema(this: Resolver, schema: unknown, id: string, isRoot?: boolean): void
}

/** The copy that fast-json-stringify uses. */
const { RefResolver } = createRequire(
  createRequire(import.meta.url).resolve('fast-json-stringify'),
)('json-schema-ref-resolver') as { RefResolver: { prototype: Resolver } }

/** The beginning of the names that fast-json-stringify gives to merged schemas. */
const MERGED = '__fjs_merged_'

/** Keywords whose values are data, even if they look like schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

/** The beginning of a `$comment` with the JSON of hidden keywords. */
const HIDDEN = 'hidden beside the reference: '

/** The name of a hidden `if` without a `then`. */
const HIDDEN_IF = 'hidden: if without then'

/** Base of hidden references in a schema without an `$id`, until `showIgnored` gets the name that fast-json-stringify gives it. */
const UNNAMED = 'unnamed:'

/**
 * Copies a schema with ignored keywords hidden. Keywords beside a `$ref` can still be referenced by their path, but aren't enumerable.
 * Instead, a `$comment` contains them, so that the schema isn't treated as a mere reference and Ajv still reads all of it. Merged schemas
 * consist of enumerable keywords: `showIgnored` restores the others.
 *
 * @param id the base of relative references, unless the schema has an `$id`
 */
export function hideIgnored<T>(schema: T, id: string = UNNAMED): T {
  const copy = cloneSchema(schema)
  hideIn(copy, id)
  return copy
}

/**
 * Restores the hidden keywords of a merged schema.
 *
 * @param name the name that fast-json-stringify gave the root schema, if that has no `$id`
 */
export function showIgnored(schema: unknown, name: string): unknown {
  const json = JSON.stringify(schema)
  if (!json.includes(HIDDEN) && !json.includes(HIDDEN_IF)) return schema
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const { $ref, ...members } = (value ?? {}) as Json
    return typeof $ref === 'string' ? { ...withHidden(members), $ref } : withIf(value)
  })
  return JSON.parse(text, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(`${UNNAMED}#`)
      ? name + value.slice(UNNAMED.length)
      : value,
  )
}

/** Runs fast-json-stringify, and hides ignored keywords in each schema that it merges, which may contain a `$ref` beside others. */
export function hidingInMerged<T>(build: () => T): T {
  const { addSchema } = RefResolver.prototype
  RefResolver.prototype.addSchema = function (schema, id, isRoot = true) {
    if (isRoot && id.startsWith(MERGED)) hideIn(schema, id)
    addSchema.call(this, schema, id, isRoot)
  }
  try {
    return build()
  } finally {
    RefResolver.prototype.addSchema = addSchema
  }
}

/** Returns the keywords beside a reference, including hidden ones. */
function withHidden(members: Json): Json {
  const { $comment, ...others } = members
  if (typeof $comment !== 'string' || !$comment.startsWith(HIDDEN)) return members
  return { ...(JSON.parse($comment.slice(HIDDEN.length)) as Json), ...others }
}

/** Restores the name of a hidden `if`. */
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
  const siblings = withHidden(members)
  const text = JSON.stringify(siblings, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? base + value : value,
  )
  // fast-json-stringify finds an `$id` in it only among enumerable keywords.
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
