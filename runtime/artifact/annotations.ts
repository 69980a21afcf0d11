/**
 * Annotations: what a schema says to people. A function that is compiled from a schema is the same without them, so
 * one that depends on the environment in its description alone still has its function.
 */

/** Keywords that hold schemas under names of the user's: a name there is no keyword, whatever it says. */
export const schemaTables: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** JSON Schema, validation, section 10 (draft-07), and what documentation adds to it. */
export const annotations: ReadonlySet<string> = new Set([
  '$comment',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'operationId',
  'summary',
  'tags',
  'title',
])

/** Keywords that hold a schema or a list of them. */
const nested = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** A copy of a schema, and of all schemas in it, without annotations. What is no schema stays as it is. */
export function withoutAnnotations<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key]) => !annotations.has(key))
  return Object.fromEntries(members.map(([key, value]) => [key, inKeyword(key, value)])) as T
}

function inKeyword(key: string, value: unknown): unknown {
  if (nested.has(key)) return withoutAnnotations(value)
  if (!schemaTables.has(key) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, withoutAnnotations(schema)]),
  )
}

/** Whether a reference in a schema with this JSON text may lead into an annotation by its way. */
export function pointsToAnnotation(text: string): boolean {
  return POINTER.test(text)
}

/** Whether a schema with this JSON text may have annotations: something in it has the name of one. */
export function mayHaveAnnotations(text: string): boolean {
  return KEY.test(text)
}

const names = [...annotations].join('|').replace('$', String.raw`\$`)

const KEY = new RegExp(`"(?:${names})":`)

/** With `%` any letter may be written. */
const POINTER = new RegExp(String.raw`"\$\w*[rR]ef":"[^"]*(?:%|/(?:${names})["/])`)

/** Whether an annotation has something in it that a reference may lead to by its name. */
export function holdsName(schema: unknown): boolean {
  return textOfAnnotations(schema).some((text) => NAME.test(text))
}

const NAME = /"(?:\$?id|\$\w*[aA]nchor)":/

/** Of all annotations in a schema, wherever it has any, those that are not just text. */
function textOfAnnotations(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    if (typeof member !== 'object' || member === null) return []
    return annotations.has(key) ? [JSON.stringify(member)] : textOfAnnotations(member)
  })
}
