/**
 * Where fast-json-stringify 5, which Fastify 4.21 serializes with, is wrong and ours is not: docs/reference/differences.md
 * lists it. What is not recognised here is a counter-example.
 */
import type { Outcome } from '../support/outcome.ts'

type Json = Record<string, unknown>

/** Its code, or a path in it, breaks at these; some of it would run. */
const BREAKS_CODE = /[\\`'\u2028\u2029]|\$\{|\*\/|\\[nr"]|\\ud[89a-f]|\/|__proto__/

/** It writes the path into a template, without escaping it or its slashes. */
const MISMATCH = "TypeError: The value of '"

/** Its messages about paths that it can't find again, and about code that came from a name. */
const BROKEN =
  /no schema with key or ref|is not defined$|Unexpected|Invalid|missing \)|Cannot|expected|URI/

/** Its message when it merges a schema into itself endlessly. */
const ENDLESS = 'Maximum call stack size exceeded'

/** Returns whether its code may fail with the first value. */
export function breaksCode(schemas: readonly unknown[]): boolean {
  return BREAKS_CODE.test(JSON.stringify(schemas))
}

/** Returns whether its code contains an unescaped property name. */
export function breaksAtName(schemas: readonly unknown[]): boolean {
  return some(schemas, hasOddName)
}

export function isDefectiveRefusal(schemaText: string, message: string): boolean {
  if (message === ENDLESS) return true
  return BREAKS_CODE.test(schemaText) && BROKEN.test(message)
}

/** Returns whether the answer of version 5 isn't JSON where ours is, or comes from a known defect. */
export function isDefectiveOutcome(
  schemas: readonly unknown[],
  expected: Outcome,
  actual: Outcome,
): boolean {
  if (typeof expected.result === 'string') {
    if ([letsThrough, hasProto].some((one) => some(schemas, one))) return true
    const theirs = parse(expected.result)
    const ours = typeof actual.result === 'string' ? parse(actual.result) : undefined
    if (theirs === undefined) return ours !== undefined
    if (ours !== undefined && JSON.stringify(ours) === JSON.stringify(theirs)) return true
    return (
      some(schemas, hasBackslashInConst) ||
      (some(schemas, isNullable) && nullsOf(expected.result) === nullsOf(String(actual.result)))
    )
  }
  const thrown = String(expected.thrown)
  if (some(schemas, hasOddItem) && thrown.includes('Item at')) return true
  if (some(schemas, isNullable) && thrown.includes('properties of null')) return true
  if (some(schemas, hasProto)) return true
  if (some(schemas, letsThrough) && thrown.includes('serialize a BigInt')) return true
  if (breaksCode(schemas) && /ReferenceError|no schema with key or ref|URI/.test(thrown))
    return true
  const areMismatches = [thrown, String(actual.thrown)].every((one) => one.startsWith(MISMATCH))
  return areMismatches && breaksCode(schemas)
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** It searches the reference itself for the type of a tuple's item, and ignores `nullable` there. */
function hasOddItem({ items }: Json): boolean {
  return (
    Array.isArray(items) &&
    items.some(
      (item: Json | boolean) => typeof item === 'object' && ('$ref' in item || isNullable(item)),
    )
  )
}

/** It continues with the `null` that a `toJSON` returns for a nullable object. */
function isNullable({ nullable }: Json): boolean {
  return nullable === true
}

function nullsOf(text: string): string {
  return text.replaceAll('null', '{}')
}

function hasOddName({ properties }: Json): boolean {
  return Object.keys(Object(properties) as object).some((name) =>
    /[\\`'"\n\r\u2028\u2029]|\$\{|\*\//.test(name),
  )
}

/** Its copies of schemas treat it as a prototype. */
function hasProto(schema: Json): boolean {
  return Object.hasOwn(schema, '__proto__')
}

/** It writes the JSON of a constant into a string without escaping it again. */
function hasBackslashInConst(schema: Json): boolean {
  return 'const' in schema && String(JSON.stringify(schema.const)).includes('\\\\')
}

/** Beside `patternProperties` it ignores `additionalProperties: false`. */
function letsThrough({ patternProperties, additionalProperties }: Json): boolean {
  return patternProperties !== undefined && additionalProperties === false
}

function some(value: unknown, matches: (schema: Json) => boolean): boolean {
  if (value === null || typeof value !== 'object') return false
  return matches(value as Json) || Object.values(value).some((member) => some(member, matches))
}
