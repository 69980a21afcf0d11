/** fast-json-stringify 5, which Fastify 4 serializes with. */
import { _ } from 'ajv'
import { copySchema } from '../copy-schema.ts'
import { assertSchema } from './assert-schema.ts'
import { createRules } from '../text/rewrite.ts'
import { serializerRules } from './rules.ts'
import { keyOf, type UnionSchemas } from './union-validators.ts'
import { hideIgnored, hidingInMerged, showIgnored } from './ignored-keywords.ts'
import type { SerializerVersion } from './version.ts'

/** Begins the name that a schema without `$id` is given. */
const ROOT = '__fjs_root_'

export const version5: SerializerVersion = {
  prepare(schema, id) {
    // It checks what it does not look at too.
    assertSchema(schema, id)
    return hideIgnored(schema, id)
  },
  whileBuilding: hidingInMerged,
  unions: {
    uris: 2,
    options: () => ({ strictSchema: false }),
    // Where a branch is a string, a date will do besides, but no other object.
    failsAsString: (data) => _`!(${data} instanceof Date)`,
    schemasOf: originalsOf,
  },
  rules: createRules([
    {
      // In a list of types, arrays are taken for objects.
      from: `(typeof $value === "object" && !Array.isArray($value)) || $value === null`,
      to: 'typeof $value === "object" || $value === null',
    },
    ...serializerRules,
  ]),
}

/** What was prepared hides what stood beside a `$ref`; only merged schemas exist in no other form. */
function originalsOf({ root, externals, prepared }: UnionSchemas): ReadonlyMap<string, unknown> {
  const originals = new Map<string, unknown>()
  const rootName = Object.keys(prepared).find((key) => key.startsWith(ROOT)) ?? ''
  for (const [name, schema] of Object.entries(externals)) originals.set(keyOf(schema, name), schema)
  const { $id } = root as { $id?: string }
  for (const key of Object.keys(prepared)) {
    if (key === rootName || ($id && key === keyOf(root, key))) originals.set(key, root)
  }
  const all = new Map<string, unknown>()
  for (const [key, schema] of originals) all.set(key, withDates(copySchema(schema)))
  for (const [key, schema] of Object.entries(prepared)) {
    if (!all.has(key)) all.set(key, showIgnored(schema, rootName))
  }
  return all
}

/** Lets dates pass for strings; writes into the schema. */
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
