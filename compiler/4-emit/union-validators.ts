/**
 * Validators that tell the branches of unions apart, as fast-json-stringify 5 has them: where a branch is a string,
 * a date will do besides, but no other object. Version 7 takes every object with a `toJSON`.
 */
import { createRequire } from 'node:module'
import type { Ajv, AnySchema, KeywordCxt, Options, ValidateFunction } from 'ajv'
import type * as AjvModule from 'ajv'
import { copySchema } from './copy.ts'

/** Its own dependencies, whose versions are not those that Fastify validates with. */
const require = createRequire(createRequire(import.meta.url).resolve('fast-json-stringify'))

type Json = Record<string, unknown>

export interface UnionSchemas {
  readonly root: unknown
  readonly externals: Readonly<Record<string, unknown>>
  /** What fast-json-stringify made of them and of merged schemas, by the key that its code refers to. */
  readonly prepared: Readonly<Record<string, unknown>>
}

/** An instance for one serializer; nothing is compiled yet. */
export function createUnionAjv(schemas: UnionSchemas, options: Options): Ajv {
  const { Ajv: AjvClass, _ } = require('ajv') as typeof AjvModule
  const ajv = new AjvClass({
    ...options,
    // What the validators report is read by nobody.
    messages: false,
    strictSchema: false,
    validateSchema: false,
    allowUnionTypes: true,
    uriResolver: require('fast-uri') as NonNullable<Options['uriResolver']>,
  })
  const addFormats = require('ajv-formats') as (ajv: Ajv) => void
  addFormats(ajv)
  ajv.addKeyword({
    keyword: 'fjs_type',
    type: 'object',
    errors: false,
    code: (context: KeywordCxt) => context.fail(_`!(${context.data} instanceof Date)`),
  })
  for (const [key, schema] of originalsOf(schemas)) ajv.addSchema(schema as AnySchema, key)
  return ajv
}

/** Throws an Error with Ajv's message when there is no such schema, or when it cannot be compiled. */
export function unionValidator(ajv: Ajv, reference: string): ValidateFunction {
  const validate = ajv.getSchema(reference)
  if (validate === undefined) throw new Error(`no schema with key or ref "${reference}"`)
  return validate as ValidateFunction
}

/** What it prepared has lost what stood beside a `$ref`; only merged schemas exist in no other form. */
function originalsOf({ root, externals, prepared }: UnionSchemas): ReadonlyMap<string, unknown> {
  const originals = new Map<string, unknown>()
  for (const [name, schema] of Object.entries(externals)) originals.set(keyOf(schema, name), schema)
  const { $id } = root as { $id?: string }
  for (const key of Object.keys(prepared)) {
    if (key.startsWith('__fjs_root_') || ($id && key === keyOf(root, key))) originals.set(key, root)
  }
  const all = new Map<string, unknown>()
  for (const [key, schema] of originals) all.set(key, withDates(copySchema(schema)))
  for (const [key, schema] of Object.entries(prepared)) if (!all.has(key)) all.set(key, schema)
  return all
}

function keyOf(schema: unknown, name: string): string {
  const { $id } = schema as { $id?: string }
  if ($id === undefined || $id === '') return name
  return $id.startsWith('#') ? name + $id : $id
}

/** Lets dates pass for strings; writes into the schema. */
function withDates(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema
  const { type } = schema as Json
  const types: unknown = type === 'string' ? ['string'] : type
  if (Array.isArray(types) && types.includes('string') && !types.includes('object')) {
    Object.assign(schema, { fjs_type: 'string', type: [...(types as unknown[]), 'object'] })
  }
  Object.values(schema).forEach(withDates)
  return schema
}
