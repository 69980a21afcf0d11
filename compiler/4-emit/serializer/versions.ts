/** The versions of fast-json-stringify that serializers behave like. Version 7 generates the code for all of them. */
import { _ } from 'ajv'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import type { SerializerProfile } from '../../servers/profile.ts'
import { createRules, type Rules } from '../text/rewrite.ts'
import { assertSchema } from './fast-json-stringify.ts'
import { hideIgnored, hidingInMerged, showIgnored } from './ignored-keywords.ts'
import { serializerRules } from './rules.ts'
import type { UnionProfile, UnionSchemas } from './union-validators.ts'

export interface SerializerVersion {
  /** Returns the schema to pass to version 7. @param id the `$id` of a shared schema */
  prepare<T>(schema: T, id?: string): T
  /** Runs `build`, a call of fast-json-stringify. */
  whileBuilding<T>(build: () => T): T
  readonly unions: UnionProfile
  /** Rewrites the code. */
  readonly rules: Rules
}

/** fast-json-stringify 7.1 and later, for Fastify 5. */
const version7: SerializerVersion = {
  prepare: cloneSchema,
  whileBuilding: (build) => build(),
  unions: {
    fastUri: 4,
    options: ({ strictSchema = false }) => ({ strictSchema }),
    // A branch of type string accepts objects with a `toJSON`.
    failsAsString: (data) => _`!${data} || typeof ${data}.toJSON !== "function"`,
    schemasOf: ({ prepared }) => new Map(Object.entries(prepared)),
  },
  rules: createRules(serializerRules),
}

/** fast-json-stringify 5.0 to 6.1, for Fastify 4. */
const version5: SerializerVersion = {
  prepare(schema, id) {
    // Version 5 ignores some keywords, but checks their values as well.
    assertSchema(schema, id)
    return hideIgnored(schema, id)
  },
  whileBuilding: hidingInMerged,
  unions: {
    fastUri: 2,
    options: () => ({ strictSchema: false }),
    // A branch of type string accepts dates, but no other objects.
    failsAsString: (data) => _`!(${data} instanceof Date)`,
    schemasOf: originalsOf,
  },
  rules: createRules([
    {
      // In a list of types, `object` accepts arrays.
      from: `(typeof $value === "object" && !Array.isArray($value)) || $value === null`,
      to: 'typeof $value === "object" || $value === null',
    },
    ...serializerRules,
  ]),
}

/** fast-json-stringify 6.2 to 7.0: like version 5, except for unions. */
const version6: SerializerVersion = {
  ...version5,
  unions: { ...version5.unions, fastUri: 4, failsAsString: version7.unions.failsAsString },
}

export const versions: Readonly<Record<SerializerProfile['version'], SerializerVersion>> = {
  5: version5,
  6: version6,
  7: version7,
}

/** Prefix of the key that fast-json-stringify gives to a root schema without `$id`. */
const ROOT = '__fjs_root_'

/** Returns the schemas as they were before keywords were hidden. Merged schemas exist only in the prepared form. */
function originalsOf({ root, externals, prepared }: UnionSchemas): ReadonlyMap<string, unknown> {
  const originals = new Map<string, unknown>()
  const rootName = Object.keys(prepared).find((key) => key.startsWith(ROOT)) ?? ''
  for (const [name, schema] of Object.entries(externals)) originals.set(keyOf(schema, name), schema)
  const { $id } = root as { $id?: string }
  for (const key of Object.keys(prepared)) {
    if (key === rootName || ($id && key === keyOf(root, key))) originals.set(key, root)
  }
  const all = new Map<string, unknown>()
  for (const [key, schema] of originals) all.set(key, withDates(cloneSchema(schema)))
  for (const [key, schema] of Object.entries(prepared)) {
    if (!all.has(key)) all.set(key, showIgnored(schema, rootName))
  }
  return all
}

/** Makes strings accept dates, as version 5 does for its validators. Changes the schema. */
function withDates(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema
  const { type } = schema as { type?: unknown }
  const types: unknown = type === 'string' ? ['string'] : type
  if (Array.isArray(types) && types.includes('string') && !types.includes('object')) {
    Object.assign(schema, { fjs_type: 'string', type: [...(types as unknown[]), 'object'] })
  }
  Object.values(schema).forEach(withDates)
  return schema
}

/** Returns the key that fast-json-stringify gives to a schema. */
function keyOf(schema: unknown, name: string): string {
  const { $id } = schema as { $id?: string }
  if ($id === undefined || $id === '') return name
  return $id.startsWith('#') ? name + $id : $id
}
