/** Reads the `schema` option of a route as Fastify does. The parameters are the differences between its release lines. */
import type { ContentEntry, Fail, RouteSchema, ValidatorPart } from '../normalize.ts'
import { isForeign, serializerParts, toComplete, toPlain } from '../normalize.ts'
import type { SchemaReading } from './index.ts'

interface Differences {
  readonly hasShortForms: boolean
  /** Returns whether a part of a request has a schema. */
  isPart(schema: unknown): boolean
  /** True if a single media type without a schema is read as a property called "content". */
  readonly mayLackSchema: boolean
  lowerHeaders(schema: object): object
}

type Content = Readonly<Record<string, ContentEntry>>

const PARTS = ['params', 'body', 'querystring', 'query', 'headers'] as const

const kNormalized = Symbol.for('framework.schema.normalized')

export function createReading({
  hasShortForms,
  isPart,
  mayLackSchema,
  lowerHeaders,
}: Differences): SchemaReading {
  return {
    shared,
    normalize,
    isPart,
    validators,
    serializers: serializerParts,
  }

  function normalize(
    schema: RouteSchema,
    options: { readonly jsonShorthand: boolean },
    fail: Fail,
  ): RouteSchema {
    if (schema[kNormalized]) return schema
    const complete = (one: unknown): unknown =>
      hasShortForms ? toComplete(one, options.jsonShorthand) : one
    if (isPart(schema.query)) {
      if (isPart(schema.querystring)) fail('FST_ERR_SCH_DUPLICATE', 'querystring')
      schema.querystring = schema.query
    }
    for (const key of PARTS) {
      if (!(key in schema)) continue
      const part = toPlain(schema[key])
      schema[key] = part
      if (!isPlainObject(part)) continue
      const content = key === 'body' ? contentOf(part) : undefined
      if (content === undefined) schema[key] = complete(part)
      else completeContent(content, complete, fail)
    }
    const response = (schema.response ?? {}) as RouteSchema
    for (const status of Object.keys(response)) {
      const entry = toPlain(response[status])
      response[status] = entry
      if (!isPlainObject(entry)) continue
      const content = contentOf(entry)
      const isProperty =
        mayLackSchema &&
        Object.keys(content ?? {}).length === 1 &&
        !Object.values(content as Content)[0]?.schema
      if (content === undefined || isProperty || Object.keys(content).length === 0) {
        response[status] = complete(entry)
      } else completeContent(content, complete, fail)
    }
    if (Object.isExtensible(schema)) schema[kNormalized] = true
    return schema
  }

  function headersOf({ headers }: RouteSchema, isCustom: boolean): unknown {
    return isCustom || !isPlainObject(headers) ? headers : lowerHeaders(headers)
  }

  function validators(schema: RouteSchema, isCustom: boolean): readonly ValidatorPart[] {
    const parts: ValidatorPart[] = []
    const { headers, body, querystring, params } = schema
    if (isPart(headers)) parts.push({ httpPart: 'headers', schema: headersOf(schema, isCustom) })
    const content = isPart(body) ? contentOf(body) : undefined
    for (const [contentType, entry] of Object.entries(content ?? {})) {
      parts.push({ httpPart: 'body', contentType, schema: entry.schema })
    }
    if (isPart(body) && content === undefined) parts.push({ httpPart: 'body', schema: body })
    if (isPart(querystring)) parts.push({ httpPart: 'querystring', schema: querystring })
    if (isPart(params)) parts.push({ httpPart: 'params', schema: params })
    return parts
  }
}

/** Fastify shares copies, in which `__proto__` sets the prototype. */
function shared(schema: unknown): unknown {
  return JSON.stringify(schema)?.includes('"__proto__":') ? copied(schema) : schema
}

function copied(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copied)
  if (!isPlainObject(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(schema)) copy[key] = copied(schema[key])
  return copy
}

function completeContent(
  content: Content,
  complete: (schema: unknown) => unknown,
  fail: Fail,
): void {
  for (const [mediaType, entry] of Object.entries(content)) {
    if (!entry.schema) fail('FST_ERR_SCH_CONTENT_MISSING_SCHEMA', mediaType)
    entry.schema = complete(entry.schema)
  }
}

/** Returns the schemas by media type. */
function contentOf(schema: unknown): Content | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  const { content } = schema as { content?: Content }
  return content || undefined
}

function isPlainObject(schema: unknown): schema is RouteSchema {
  return typeof schema === 'object' && schema !== null && !isForeign(schema)
}
