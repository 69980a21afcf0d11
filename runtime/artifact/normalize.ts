/** Interprets a route's `schema` option as Fastify does. The build and the runtime share this code, so a schema means the same to both. */
import { isUnread, withoutUnread } from './lazy-schemas/types-on-read.ts'
import { postponeNormalizing, untouchedPart } from './lazy-schemas/index.ts'
import type { HttpPart } from './index.ts'
import { isPlainObject } from './json.ts'

/** Rules that a route schema can break, named by Fastify's error codes. */
export type SchemaRule =
  | 'FST_ERR_SCH_DUPLICATE'
  | 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA'
  | 'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX'

/** Reports a broken rule. It must throw. */
export type Fail = (rule: SchemaRule, ...args: string[]) => never

/** The `schema` option of a route. */
export type RouteSchema = Record<PropertyKey, unknown>

interface ContentEntry {
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

interface NormalizeOptions {
  readonly jsonShorthand: boolean
}

/** How a line reads the `schema` option of a route. */
export interface SchemaReading {
  /**
   * Normalizes the option once: `query` becomes `querystring`, fluent schemas become plain ones, and short forms become complete ones.
   * Changes the schema in place, because applications and plugins (`@fastify/swagger`) read it afterwards.
   *
   * @see https://fastify.dev/docs/v4.21.x/Reference/Validation-and-Serialization/
   */
  normalize(schema: RouteSchema, options: NormalizeOptions, fail: Fail): RouteSchema
  /** Returns a shared schema as compilers get it. */
  shared(schema: unknown): unknown
  /** Returns whether a part of a request has a schema. */
  isPart(schema: unknown): boolean
  /**
   * Returns the request parts of a normalized schema, in Fastify's order of compilation.
   *
   * @param isCustom pass the header schema unchanged to the application's own compiler; otherwise its names become lower case, like the
   * header names of requests (RFC 9110, 5.1)
   */
  validators(schema: RouteSchema, isCustom: boolean): readonly ValidatorPart[]
  /** Returns the responses of a normalized schema, in the order of its keys. */
  serializers(schema: RouteSchema, fail: Fail): readonly SerializerPart[]
}

/** The differences between lines. */
interface Differences extends Pick<SchemaReading, 'isPart' | 'shared'> {
  readonly hasShortForms: boolean
  /** True if a body may have a schema per media type. */
  readonly hasBodyContent: boolean
  /** True if a single media type of a response without a schema is read as a property called "content". */
  readonly mayLackSchema: boolean
  lowerHeaders(schema: object): object
}

export function createReading({
  hasShortForms,
  hasBodyContent,
  mayLackSchema,
  isPart: has,
  shared,
  lowerHeaders,
}: Differences): SchemaReading {
  return { normalize, shared, isPart: has, validators, serializers: serializerParts }

  function normalize(schema: RouteSchema, options: NormalizeOptions, fail: Fail): RouteSchema {
    if (schema[kNormalized]) return schema
    const jsonShorthand = hasShortForms && options.jsonShorthand
    const normalizeLater = (value: RouteSchema): void => void normalize(value, options, fail)
    if (!postponeNormalizing(schema, jsonShorthand, normalizeLater))
      normalizeParts(schema, jsonShorthand, fail)
    // The mark is on the object, as in Fastify: a copy of a normalized schema keeps it, and has both `query` and `querystring`,
    // which would otherwise be a duplicate.
    if (Object.isExtensible(schema)) schema[kNormalized] = true
    return schema
  }

  function normalizeParts(schema: RouteSchema, jsonShorthand: boolean, fail: Fail): void {
    if (has(schema.query)) {
      if (has(schema.querystring)) fail('FST_ERR_SCH_DUPLICATE', 'querystring')
      schema.querystring = schema.query
    }
    // Types that are created when they're read are foreign, so nothing about them changes.
    const { params, body, querystring, query, headers } = withoutUnread(schema)
    if (params && !isComplete(params)) complete(schema, 'params', params)
    if (body && !(isComplete(body) && lacksContent(body))) complete(schema, 'body', body)
    if (querystring && !isComplete(querystring)) complete(schema, 'querystring', querystring)
    if (query && !isComplete(query)) complete(schema, 'query', query)
    if (headers && !isComplete(headers)) complete(schema, 'headers', headers)
    const response = schema.response as RouteSchema | undefined
    // Not `for of`: at startup, a thousand routes would create lists and iterators for the garbage collector.
    for (const status in response) {
      if (!Object.hasOwn(response, status) || isUnread(response, status)) continue
      const given = response[status]
      if (!(given && isComplete(given) && lacksContent(given))) complete(response, status, given)
    }

    function complete(owner: RouteSchema, key: string, given: unknown): void {
      let plain = toPlain(given)
      if (!isForeign(plain)) {
        const isBody = owner === schema && key === 'body'
        const mayHaveContent = isBody ? hasBodyContent : owner !== schema
        const content = mayHaveContent && (plain as { content?: Content }).content
        const isByMediaType = content && completeContent(content, isBody, jsonShorthand, fail)
        if (!isByMediaType) plain = toComplete(plain, jsonShorthand)
      }
      if (plain !== given) owner[key] = plain
    }
  }

  /** Returns whether `content` of a body or a response maps media types. */
  function completeContent(
    content: Content,
    isBody: boolean,
    jsonShorthand: boolean,
    fail: Fail,
  ): boolean {
    const mediaTypes = Object.keys(content)
    for (const mediaType of mediaTypes) {
      const entry = content[mediaType] as ContentEntry
      if (!entry.schema) {
        if (!isBody && mayLackSchema && mediaTypes.length === 1) return false
        fail('FST_ERR_SCH_CONTENT_MISSING_SCHEMA', mediaType)
      }
      entry.schema = toComplete(entry.schema, jsonShorthand)
    }
    return isBody || mediaTypes.length > 0
  }

  function validators(schema: RouteSchema, isCustom: boolean): ValidatorPart[] {
    const parts: ValidatorPart[] = []
    const { headers, body, querystring, params } = schema
    if (has(headers)) {
      const asIs = isCustom || !isPlainObject(headers)
      parts.push({ httpPart: 'headers', schema: asIs ? headers : lowerHeaders(headers) })
    }
    const content = hasBodyContent ? (body as { content?: Content } | null)?.content : undefined
    if (content && has(body)) {
      for (const [contentType, entry] of Object.entries(content)) {
        parts.push({ httpPart: 'body', contentType, schema: entry.schema })
      }
    } else if (has(body)) parts.push({ httpPart: 'body', schema: body })
    if (has(querystring)) parts.push({ httpPart: 'querystring', schema: querystring })
    if (has(params)) parts.push({ httpPart: 'params', schema: params })
    return parts
  }
}

type Content = Readonly<Record<string, ContentEntry>>

function lacksContent(schema: unknown): boolean {
  return (schema as RouteSchema).content === undefined
}

/** Quick test for the common case: a plain schema with a type. Small, so that optimizing it costs little at startup. */
function isComplete(schema: unknown): boolean {
  const lazySchema = untouchedPart(schema as object)
  if (lazySchema !== undefined) return lazySchema.source.isPart(lazySchema.nth)
  return (
    !!(schema as RouteSchema).type &&
    Object.getPrototypeOf(schema) === Object.prototype &&
    (schema as RouteSchema).valueOf === Object.prototype.valueOf
  )
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

/** Returns whether it is a schema object of another library (Joi, yup, a class instance), which is never changed. */
function isForeign(schema: unknown): boolean {
  return typeof schema === 'object' && Object.getPrototypeOf(schema) !== Object.prototype
}

/** Wraps the short form of an object schema, which lists only properties, as in Fastify 4. */
function toComplete(schema: unknown, jsonShorthand: boolean): unknown {
  const s = schema as RouteSchema
  if (!jsonShorthand || s.type || s.properties) return schema
  const isSchema = s.$ref || s.oneOf || s.allOf || s.anyOf || s.$merge || s.$patch
  return isSchema ? schema : { type: 'object', properties: schema }
}

/** Returns whether a part has a schema that requests are validated by. `false`, which matches nothing, is a schema as well. */
export function isPart(schema: unknown): boolean {
  return !!schema || schema === false
}

function serializerParts(schema: RouteSchema, fail: Fail): SerializerPart[] {
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
  const members = Object.entries(schema).map(([key, value]) => [key, cloneSchema(value) as unknown])
  // An assignment of `__proto__` would change the copy's prototype.
  const copy = Object.fromEntries(members) as T
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(schema) as object | null)
}
