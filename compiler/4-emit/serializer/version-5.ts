/** fast-json-stringify 5, which Fastify 4 serializes with. */
import { _ } from 'ajv'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { assertSchema } from './fast-json-stringify.ts'
import { createRules } from '../text/rewrite.ts'
import { serializerRules } from './rules.ts'
import { keyOf, type UnionSchemas } from './union-validators.ts'
import { hideIgnored, hidingInMerged, showIgnored } from './ignored-keywords.ts'
import type { SerializerVersion } from './versions.ts'

/** The beginning of names of schemas without `$id`. */
const ROOT = '__fjs_root_'

export const version5: SerializerVersion = {
  prepare(schema, id) {
    // Ignored keywords are checked, too.
    assertSchema(schema, id)
    return hideIgnored(schema, id)
  },
  whileBuilding: hidingInMerged,
  unions: {
    uris: 2,
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

/** Makes strings accept dates. Changes the schema. */
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
