/** Reads content types as Fastify 4.21 does. */
import contentTypes from 'fast-content-type-parse'
import type { Failure } from '../../serve/model.ts'
import type { TypeRules } from '../../serve/content-type-parsers.ts'

interface ParsedPattern {
  readonly type: string
  readonly parameters: readonly (readonly [string, string])[]
}

export const typeRules: TypeRules = {
  prepare: normalize,
  toNewName: String,
  toName: (contentType) =>
    String(typeof contentType === 'string' ? normalize(contentType) : contentType),
  match(contentType, patterns, expressions) {
    const parsed = contentTypes.safeParse(contentType)
    if (parsed.type === '') return undefined
    const pattern = patterns.find((name) => matches(parsed, parsePattern(name)))
    if (pattern !== undefined) return pattern
    const expression = expressions.find((candidate) => {
      // With the flag `g` or `y` it would continue after the match of the previous request.
      candidate.lastIndex = 0
      return candidate.test(candidate.source.includes(';') ? contentType : parsed.type)
    })
    return expression === undefined ? undefined : String(expression)
  },
}

/** Converts a type and subtype to lower case. Values of parameters may be case-sensitive. */
function normalize(contentType: string): string {
  return contentType.trim().replace(/^[^;]+/, (type) => type.toLowerCase())
}

function parsePattern(name: string): ParsedPattern {
  if (!name.includes(';')) return { type: name, parameters: [] }
  const { type, parameters } = contentTypes.safeParse(name)
  // An empty type would match everything.
  return { type: type || name.split(';')[0] || name, parameters: Object.entries(parameters) }
}

function matches(
  parsed: ReturnType<typeof contentTypes.safeParse>,
  { type, parameters }: ParsedPattern,
): boolean {
  return (
    parsed.type.includes(type) &&
    parameters.every(([key, value]) => parsed.parameters[key] === value)
  )
}

/** Completes an error of the JSON parser. */
export function toJsonFailure(failure: Failure): Failure {
  failure.statusCode = 400
  // The client has caused the error: a stack would only fill the log.
  failure.stack = String(failure)
  return failure
}

/** Returns the content type with charset if it is one of JSON, such as application/hal+json. Headers that are lists aren't. */
export function toJsonType(contentType: string): string | undefined {
  if (Array.isArray(contentType) || !contentType.toLowerCase().includes('json')) return undefined
  if (/charset/i.test(contentType)) return contentType
  const trimmed = contentType.trim()
  return `${trimmed}${trimmed.endsWith(';') ? '' : ';'} charset=utf-8`
}
