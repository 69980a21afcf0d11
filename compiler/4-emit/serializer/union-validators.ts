/**
 * Validators that tell the branches of unions apart, as fast-json-stringify 5 has them: where a branch is a string,
 * a date will do besides, but no other object. Version 7 takes every object with a `toJSON`.
 */
import type { AnySchema, KeywordCxt, Options, ValidateFunction } from 'ajv'
import { _, Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'
import uriResolver from 'fast-uri'
import { copySchema } from '../copy.ts'
import { ZONED_FORMATS } from '../values/known-values.ts'
import { createLinker, type Linker } from '../validator/link.ts'
import { markNames } from '../validator/mark-names.ts'
import { showUnserialized } from './unserialized.ts'

/** Begins the name that a schema without `$id` is given. */
const ROOT = '__fjs_root_'

type Json = Record<string, unknown>

export interface UnionSchemas {
  readonly root: unknown
  readonly externals: Readonly<Record<string, unknown>>
  /** What fast-json-stringify made of them and of merged schemas, by the key that its code refers to. */
  readonly prepared: Readonly<Record<string, unknown>>
}

export interface UnionOptions {
  readonly schemas: UnionSchemas
  readonly options: Options
  /** The JSON of the schemas. */
  readonly text: string
}

export interface UnionLinker {
  /**
   * The name of the validator for a reference. Throws an Error with Ajv's message when there is no such schema, or
   * when it cannot be compiled.
   */
  add(reference: string): string
  /** Everything that was added. */
  finish(): Pick<Linker, 'imports' | 'liveValues'> & { readonly statements: string }
}

const NOTHING: ReturnType<UnionLinker['finish']> = {
  imports: new Set(),
  liveValues: [],
  statements: '',
}

/** For one serializer. Most have no unions, and an Ajv takes its time to make. */
export function createUnionLinker({ schemas, options, text }: UnionOptions): UnionLinker {
  let open: { readonly ajv: Ajv; readonly linker: Linker } | undefined
  return { add, finish }

  function add(reference: string): string {
    open ??= start()
    const validate = open.ajv.getSchema(reference)
    if (validate === undefined) throw new Error(`no schema with key or ref "${reference}"`)
    return open.linker.add(validate as ValidateFunction)
  }

  function start(): { readonly ajv: Ajv; readonly linker: Linker } {
    const ajv = createUnionAjv(schemas, options)
    return { ajv, linker: createLinker(markNames(ajv, text), 'verdict') }
  }

  function finish(): ReturnType<UnionLinker['finish']> {
    return open ? { ...open.linker, statements: open.linker.statements() } : NOTHING
  }
}

function createUnionAjv(schemas: UnionSchemas, options: Options): Ajv {
  const ajv = new Ajv({
    ...options,
    // What the validators report is read by nobody.
    messages: false,
    strictSchema: false,
    validateSchema: false,
    allowUnionTypes: true,
    uriResolver: uriResolver as NonNullable<Options['uriResolver']>,
  })
  ajvFormats.default(ajv)
  for (const [name, format] of Object.entries(ZONED_FORMATS)) ajv.addFormat(name, format)
  ajv.addKeyword({
    keyword: 'fjs_type',
    type: 'object',
    errors: false,
    code: (context: KeywordCxt) => context.fail(_`!(${context.data} instanceof Date)`),
  })
  for (const [key, schema] of originalsOf(schemas)) ajv.addSchema(schema as AnySchema, key)
  return ajv
}

/** What it prepared hides what stood beside a `$ref`; only merged schemas exist in no other form. */
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
    if (!all.has(key)) all.set(key, showUnserialized(schema, rootName))
  }
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
