/**
 * Interprets a route's `schema` option as Fastify does. The build and the runtime share this code, so a
 * schema means the same to both.
 */
import { type LazySchema, postponeNormalizing, untouchedPart } from './lazy-schemas/index.ts'
import { lowerCaseHeaders } from './header-names.ts'
import type { HttpPart } from './index.ts'

/** Rules that a route schema can break, named by Fastify's error codes. */
export type SchemaRule =
  | 'FST_ERR_SCH_DUPLICATE'
  | 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA'
  | 'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX'

/** Reports a broken rule. It must throw. */
export type Fail = (rule: SchemaRule, ...args: string[]) => never

/** The `schema` option of a route. */
export type RouteSchema = Record<PropertyKey, unknown>

export interface ContentEntry {
  schema?: unknown
}

/** A request part with a schema. */
export interface ValidatorPart {
  readonly httpPart: HttpPart
  /** Set if a body has a schema per media type. */
  readonly contentType?: string
  readonly schema: unknown
}

/** A response with a schema. */
export interface SerializerPart {
  /** In lower case: `200`, `2xx` or `default`. */
  readonly httpStatus: string
  /** Set for entries of `content`. */
  readonly contentType?: string
  readonly schema: unknown
}

/** A registered symbol: an application may pass a schema to instances of several copies of this package. */
const kNormalized = Symbol.for('framework.schema.normalized')
const kFluentSchema = Symbol.for('fluent-schema-object')

const RESPONSE_STATUS = /^[1-5][0-9]{2}$|^[1-5]xx$|^default$/

export interface NormalizeOptions {
  readonly jsonShorthand: boolean
}

/**
 * Normalizes a route's schema once: `query` becomes `querystring`, fluent schemas become plain ones, and short forms become
 * complete ones. Changes the schema in place, because applications and plugins (`@fastify/swagger`) read it afterwards.
 *
 * @param lazySchema the result of `untouchedRoute` for the schema
 * @see https://fastify.dev/docs/v4.21.x/Reference/Validation-and-Serialization/
 */
export function normalizeSchema(
  schema: RouteSchema,
  options: NormalizeOptions,
  fail: Fail,
  lazySchema?: LazySchema,
): RouteSchema {
  if (schema[kNormalized]) return schema
  const isPostponed =
    lazySchema !== undefined &&
    postponeNormalizing(
      schema,
      lazySchema,
      options.jsonShorthand,
      (value) => void normalizeSchema(value, options, fail),
    )
  if (!isPostponed) normalizeParts(schema, options, fail)
  // On the object, as in Fastify: a copy of a normalized schema counts as normalized, and has both names of a
  // query.
  if (Object.isExtensible(schema)) schema[kNormalized] = true
  return schema
}

function normalizeParts(schema: RouteSchema, options: NormalizeOptions, fail: Fail): void {
  if (isPart(schema.query)) {
    if (isPart(schema.querystring)) fail('FST_ERR_SCH_DUPLICATE', 'querystring')
    schema.querystring = schema.query
  }
  const { params, body, querystring, headers } = schema
  if (params && !isComplete(params)) complete(schema, 'params', params, options)
  if (body && !isComplete(body)) complete(schema, 'body', body, options)
  if (querystring && !isComplete(querystring)) {
    complete(schema, 'querystring', querystring, options)
  }
  if (schema.query && !isComplete(schema.query)) complete(schema, 'query', schema.query, options)
  if (headers && !isComplete(headers)) complete(schema, 'headers', headers, options)
  if (schema.response) {
    normalizeResponse(schema.response as RouteSchema, options.jsonShorthand, fail)
  }
}

/**
 * Quick test for the common case: a plain schema with a type. Small, so that optimizing it costs little at
 * startup.
 */
function isComplete(schema: unknown): boolean {
  const lazySchema = untouchedPart(schema as object)
  if (lazySchema !== undefined) return lazySchema.source.isPart(lazySchema.nth)
  return (
    !!(schema as RouteSchema).type &&
    Object.getPrototypeOf(schema) === Object.prototype &&
    (schema as RouteSchema).valueOf === Object.prototype.valueOf
  )
}

function complete(
  schema: RouteSchema,
  key: string,
  given: unknown,
  { jsonShorthand }: NormalizeOptions,
): void {
  const plain = toPlain(given)
  const whole = isForeign(plain) ? plain : toComplete(plain, jsonShorthand)
  if (whole !== given) schema[key] = whole
}

function normalizeResponse(response: RouteSchema, jsonShorthand: boolean, fail: Fail): void {
  // Not `for of`: at startup, a thousand routes would create lists and iterators for the garbage collector.
  for (const status in response) {
    if (!Object.hasOwn(response, status)) continue
    const given = response[status]
    if (given && isComplete(given) && (given as RouteSchema).content === undefined) continue
    let entry = toPlain(given)
    if (!isForeign(entry)) {
      const content = (entry as RouteSchema).content as Record<string, ContentEntry> | undefined
      if (!content || !normalizeContent(content, jsonShorthand, fail)) {
        entry = toComplete(entry, jsonShorthand)
      }
    }
    if (entry !== given) response[status] = entry
  }
}

/**
 * Returns whether `content` maps media types. A single key without `schema` is a property with the name
 * "content".
 */
function normalizeContent(
  content: Record<string, ContentEntry>,
  jsonShorthand: boolean,
  fail: Fail,
): boolean {
  const mediaTypes = Object.keys(content)
  for (const mediaType of mediaTypes) {
    const entry = content[mediaType] as ContentEntry
    if (!entry.schema) {
      if (mediaTypes.length === 1) return false
      fail('FST_ERR_SCH_CONTENT_MISSING_SCHEMA', mediaType)
    }
    entry.schema = toComplete(entry.schema, jsonShorthand)
  }
  return mediaTypes.length > 0
}

/** Returns the value of a fluent-json-schema builder, and anything else unchanged. */
export function toPlain(schema: unknown): unknown {
  // Builders have their own `valueOf`.
  if ((schema as object | null | undefined)?.valueOf === Object.prototype.valueOf) return schema
  const fluent = schema as
    | { isFluentSchema?: unknown; isFluentJSONSchema?: unknown; [kFluentSchema]?: unknown }
    | null
    | undefined
  return fluent?.isFluentSchema || fluent?.isFluentJSONSchema || fluent?.[kFluentSchema]
    ? (schema as object).valueOf()
    : schema
}

/**
 * Returns whether it is a schema object of another library (Joi, yup, a class instance), which is never
 * changed.
 */
export function isForeign(schema: unknown): boolean {
  return typeof schema === 'object' && Object.getPrototypeOf(schema) !== Object.prototype
}

export function toComplete(schema: unknown, jsonShorthand: boolean): unknown {
  const s = schema as RouteSchema
  if (!jsonShorthand || s.type || s.properties) return schema
  const isOther = s.$ref || s.oneOf || s.allOf || s.anyOf || s.$merge || s.$patch
  return isOther ? schema : { type: 'object', properties: schema }
}

/** Returns whether requests are validated by it. `false`, which matches nothing, is a schema as well. */
export function isPart(schema: unknown): boolean {
  return !!schema || schema === false
}

/**
 * Returns the request parts of a normalized schema, in Fastify's order of compilation.
 *
 * @param isCustom pass the header schema unchanged to the application's own compiler; otherwise its names
 * become lower case, like the header names of requests (RFC 9110, 5.1)
 */
export function validatorParts(schema: RouteSchema, isCustom: boolean): ValidatorPart[] {
  const parts: ValidatorPart[] = []
  const { body, querystring, params } = schema
  if (isPart(schema.headers)) {
    parts.push({ httpPart: 'headers', schema: headersOf(schema, isCustom) })
  }
  if (isPart(body)) parts.push({ httpPart: 'body', schema: body })
  if (isPart(querystring)) parts.push({ httpPart: 'querystring', schema: querystring })
  if (isPart(params)) parts.push({ httpPart: 'params', schema: params })
  return parts
}

/** Returns the header schema for compilers. */
export function headersOf({ headers }: RouteSchema, isCustom: boolean): unknown {
  const asIs = isCustom || !headers || Object.getPrototypeOf(headers) !== Object.prototype
  return asIs ? headers : lowerCaseHeaders(headers)
}

/** Returns the responses of a normalized schema, in the order of its keys. */
export function serializerParts(schema: RouteSchema, fail: Fail): SerializerPart[] {
  const parts: SerializerPart[] = []
  const response = schema.response as RouteSchema | undefined
  if (!response) return parts
  for (const key of Object.keys(response)) {
    const httpStatus = key.toLowerCase()
    if (!RESPONSE_STATUS.test(httpStatus)) fail('FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX')
    const entry = response[key] as { content?: Record<string, ContentEntry> }
    if (!entry.content) {
      parts.push({ httpStatus, schema: entry })
      continue
    }
    for (const contentType of Object.keys(entry.content)) {
      parts.push({ httpStatus, contentType, schema: entry.content[contentType]?.schema })
    }
  }
  return parts
}

/** Copies deeply, keeping prototypes, so that later changes don't affect the copy. */
export function cloneSchema<T>(schema: T): T {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(cloneSchema) as T
  if (schema instanceof Date) return new Date(schema) as T
  if (schema instanceof RegExp) return schema
  const copy = Object.create(Object.getPrototypeOf(schema) as object | null) as Record<
    string,
    unknown
  >
  for (const key of Object.keys(schema)) {
    const value = cloneSchema((schema as Record<string, unknown>)[key])
    // An assignment would change the copy's prototype.
    if (key === '__proto__') {
      Object.defineProperty(copy, key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    } else copy[key] = value
  }
  return copy as T
}
