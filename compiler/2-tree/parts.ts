/** Parts of route schemas: body, query string, params, headers and responses. */
import { diagnostic } from '../report/errors.ts'
import type {
  Diagnostic,
  DynamicPart,
  FactoryOptions,
  SchemaHole,
  KnownValue,
} from '../model/index.ts'
import { valueAt } from '../util/json.ts'

const validatedParts: ReadonlySet<string | number> = new Set([
  'body',
  'headers',
  'params',
  'query',
  'querystring',
])

/** Returns the name of the part that a path leads into, `schema` or `response` for all parts; `undefined` if it isn't compiled. */
export function partOf(path: readonly (string | number)[]): string | undefined {
  const [key, status] = path
  if (key === undefined) return 'schema'
  if (key === 'response') return status === undefined ? 'response' : String(status).toLowerCase()
  if (!validatedParts.has(key)) return undefined
  return key === 'query' ? 'querystring' : String(key)
}

/** Removes the unknown parts of a schema; `undefined` if the schema itself is unknown. */
export function withoutParts(
  schema: KnownValue<Record<string, unknown>>,
  dynamic: readonly DynamicPart[],
): KnownValue<Record<string, unknown>> | undefined {
  if (dynamic.length === 0) return schema
  const unknown = new Set(dynamic.map(({ part }) => part))
  if (unknown.has('schema')) return undefined
  const isKnown = (path: readonly string[]): boolean => !unknown.has(partOf(path) ?? '')
  const value = Object.fromEntries(
    Object.entries(schema.value).filter(([key]) => key === 'response' || isKnown([key])),
  )
  if (unknown.has('response')) delete value.response
  else if (isObject(value.response)) {
    value.response = Object.fromEntries(
      Object.entries(value.response).filter(([status]) => isKnown(['response', status])),
    )
  }
  return { ...schema, value }
}

/** Returns whether a hole in `root` has no effect: a symbol at a keyword that is only named, and does nothing. */
export function hasNoEffect(
  { isSymbol, path }: SchemaHole,
  { ajv }: FactoryOptions,
  root: unknown,
): boolean {
  if (isSymbol !== true || !isCertainlySchema(valueAt(root, path.slice(0, -1)))) return false
  const declared = ajv.customOptions?.value['keywords']
  const isNamed = (one: unknown): boolean =>
    isObject(one) && 'keyword' in one && Object.keys(one).length === 1
      ? isNamed(one.keyword)
      : one === path.at(-1)
  const haveFunctions = ajv.imports.some((one) => one.path[0] === 'keywords')
  return !haveFunctions && Array.isArray(declared) && declared.some(isNamed)
}

function isObject(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Returns whether a value is certainly a schema, rather than a map of schemas by name. */
function isCertainlySchema(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, $ref, anyOf, allOf, oneOf } = value
  return (
    [type, $ref].some((one) => typeof one === 'string') || [anyOf, allOf, oneOf].some(Array.isArray)
  )
}

/** Describes an unknown part of a value; `what` names the value. */
export function describeHole({ path, why, at, missing }: SchemaHole, what: string): Diagnostic {
  // Many parts may depend on the same missing import.
  if (missing !== undefined) return diagnostic('AOT_IMPORT_NOT_FOUND', at, missing)
  const name = path.length === 0 ? what : `${shorten(path)} of the ${what}`
  return diagnostic('AOT_SCHEMA_NOT_STATIC', at, name, why)
}

/** Shortens a path for a message, which has the exact place as well. */
function shorten(path: readonly (string | number)[]): string {
  return path.length > 6 ? `${path.slice(0, 6).join('.')}…` : path.join('.')
}
