/**
 * Removes annotations, the keywords that only describe. Schemas that differ in annotations alone share a
 * compiled function, so a description may depend on the environment.
 */
import { schemaKeywords, schemaTables } from './keywords.ts'

/** Keywords of JSON Schema and of documentation tools that neither validators nor serializers read. */
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

/** Returns whether a schema may have this annotation with this value. */
export type IsAllowed = (annotation: string, value: unknown) => boolean

/**
 * Returns a copy of a schema without the annotations that are allowed, at all depths. Others stay, so that
 * the compiler can refuse them. Values that aren't schemas stay unchanged.
 */
export function withoutAnnotations<T>(schema: T, isAllowed: IsAllowed = () => true): T {
  return withoutAny(schema)

  function withoutAny<Value>(schema: Value): Value {
    if (Array.isArray(schema)) return schema.map(withoutAny) as Value
    if (typeof schema !== 'object' || schema === null) return schema
    const members = Object.entries(schema).filter(
      ([key, value]) => !(annotations.has(key) && isAllowed(key, value)),
    )
    return Object.fromEntries(members.map(([key, value]) => [key, inKeyword(key, value)])) as Value
  }

  function inKeyword(key: string, value: unknown): unknown {
    if (schemaKeywords.has(key)) return withoutAny(value)
    if (!schemaTables.has(key) || typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]) => [name, withoutAny(schema)]),
    )
  }
}

/** Checks that the meta-schemas make of values, by annotation. Only those of 2019 and 2020 check `deprecated`. */
const standard: Readonly<Record<string, (value: unknown) => boolean>> = {
  $comment: isText,
  deprecated: (value) => typeof value === 'boolean',
  description: isText,
  examples: Array.isArray,
  title: isText,
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

/** Creates the check whether the compiler accepts an annotation. @param isKnown returns whether it accepts a keyword that JSON Schema doesn't have */
export function allowedBy(isKnown: (keyword: string) => boolean): IsAllowed {
  return (annotation, value) => standard[annotation]?.(value) ?? isKnown(annotation)
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
export function containsName(schema: unknown): boolean {
  return textOfAnnotations(schema).some((text) => NAME.test(text))
}

const NAME = /"(?:\$?id|\$\w*[aA]nchor)":/

/** Collects the JSON of all annotations that are objects or lists. */
function textOfAnnotations(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    if (typeof member !== 'object' || member === null) return []
    return annotations.has(key) ? [JSON.stringify(member)] : textOfAnnotations(member)
  })
}
