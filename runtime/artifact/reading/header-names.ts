/**
 * Lower-cases header names in schemas as Fastify does. Fastify leaves header schemas to compilers from
 * options, so they arrive unchanged.
 */
import { propertyTables, schemaKeywords, schemaTables } from '../keywords.ts'
import type { FastifyLine } from '../lines.ts'

/** Changes a header schema that is a plain object. */
export const lowerHeaderNames: Readonly<Record<FastifyLine, (schema: object) => object>> = {
  'fastify@4': lowerAtTop,
  'fastify@5': (schema) => lowerDeeply(schema, false) as object,
}

type Schema = Readonly<Record<string, unknown>>

/** Fastify 4 changes the top level only. */
function lowerAtTop(schema: object): object {
  const { required, properties } = schema as Schema
  const lowered: Record<string, unknown> = { ...schema }
  if (Array.isArray(required)) lowered.required = required.map(lower)
  if (properties) lowered.properties = renamed(properties, (one) => one)
  return lowered
}

/** @param areNames whether compared values are header names */
function lowerDeeply(schema: unknown, areNames: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((one) => lowerDeeply(one, areNames))
  if (typeof schema !== 'object' || schema === null) return schema
  const lowered: Record<string, unknown> = {}
  for (const key of Object.keys(schema)) {
    lowered[key] = lowerKeyword(key, (schema as Schema)[key], areNames)
  }
  return lowered
}

function lowerKeyword(key: string, value: unknown, areNames: boolean): unknown {
  const inner = (one: unknown): unknown => lowerDeeply(one, areNames)
  if (key === 'propertyNames') return lowerDeeply(value, true)
  if (key === 'contentSchema' || (schemaKeywords.has(key) && key !== 'prefixItems'))
    return inner(value)
  if (key === 'required') return Array.isArray(value) ? value.map(lower) : value
  if (areNames && key === 'enum' && Array.isArray(value)) return value.map(lower)
  if (areNames && key === 'const') return lower(value)
  const isTable = typeof value === 'object' && value !== null
  if (isTable && propertyTables.has(key)) {
    return renamed(value, (one) => (Array.isArray(one) ? one.map(lower) : inner(one)))
  }
  if (isTable && schemaTables.has(key)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
  }
  return value
}

function renamed(table: object, change: (member: unknown) => unknown): object {
  const lowered: Record<string, unknown> = {}
  for (const name of Object.keys(table)) {
    lowered[name.toLowerCase()] = change((table as Schema)[name])
  }
  return lowered
}

function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}
