/**
 * Removes annotations, the keywords that only describe. Schemas that differ in annotations alone share a
 * compiled function, so a description may depend on the environment.
 */
import { schemaKeywords, schemaTables } from './keywords.ts'

/** JSON Schema draft-07, validation, section 10, and the keywords that documentation tools add. */
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

/** Returns a copy of a schema without annotations, at all depths. Values that aren't schemas stay unchanged. */
export function withoutAnnotations<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key]) => !annotations.has(key))
  return Object.fromEntries(members.map(([key, value]) => [key, inKeyword(key, value)])) as T
}

function inKeyword(key: string, value: unknown): unknown {
  if (schemaKeywords.has(key)) return withoutAnnotations(value)
  if (!schemaTables.has(key) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, withoutAnnotations(schema)]),
  )
}

/** Returns whether a reference in this JSON text may point into an annotation by its path. */
export function pointsToAnnotation(text: string): boolean {
  return POINTER.test(text)
}

/** Returns whether this JSON text may contain annotations. */
export function mayHaveAnnotations(text: string): boolean {
  return KEY.test(text)
}

const names = [...annotations].join('|').replace('$', String.raw`\$`)

const KEY = new RegExp(`"(?:${names})":`)

/** A pointer may write any letter as a percent escape. */
const POINTER = new RegExp(String.raw`"\$\w*[rR]ef":"[^"]*(?:%|/(?:${names})["/])`)

/** Returns whether an annotation contains an id or anchor that a reference may point to. */
export function holdsName(schema: unknown): boolean {
  return textOfAnnotations(schema).some((text) => NAME.test(text))
}

const NAME = /"(?:\$?id|\$\w*[aA]nchor)":/

/** Collects the JSON of all annotations that aren't plain texts. */
function textOfAnnotations(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    if (typeof member !== 'object' || member === null) return []
    return annotations.has(key) ? [JSON.stringify(member)] : textOfAnnotations(member)
  })
}
