/** Reads JSON, with comments or without, and finds syntax errors. */
import { createRequire } from 'node:module'
import type * as JsoncParser from 'jsonc-parser'

/** The first syntax error. */
interface JsonProblem {
  readonly start: number
  readonly length: number
  readonly reason: string
}

/**
 * Reads a JSON text as Node does, or with comments and trailing commas, as in tsconfig.json.
 *
 * `JSON.parse` decides whether a text without comments is valid. Its messages differ between releases of Node and often lack the place.
 */
export function readJson(
  text: string,
  hasComments: boolean,
): { readonly value: unknown } | JsonProblem {
  // Node ignores a byte order mark as well.
  const json = text.replace(/^\uFEFF/, '')
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  // Most texts are plain JSON: load the parser only for others.
  const jsonc = createRequire(import.meta.url)('jsonc-parser') as typeof JsoncParser
  const errors: JsoncParser.ParseError[] = []
  const options = { disallowComments: !hasComments, allowTrailingComma: hasComments }
  const value: unknown = jsonc.parse(json, errors, options)
  if (hasComments && errors.length === 0) return { value }
  // The error after an unknown symbol says what is expected in its place.
  const [first, second = first] = errors as [JsoncParser.ParseError, JsoncParser.ParseError?]
  const name = jsonc.printParseErrorCode(first.error)
  const expected = name === 'InvalidSymbol' ? jsonc.printParseErrorCode(second.error) : name
  const problem = problemAt(json, first.offset, first.length, expected)
  return { ...problem, start: problem.start + text.length - json.length }
}

function problemAt(json: string, start: number, length: number, error: string): JsonProblem {
  const before = json.slice(0, start).trimEnd().length
  if (json[before - 1] === ',' && /[\]}]/.test(json[start] ?? '')) {
    return { start: before - 1, length: 1, reason: 'JSON has no trailing commas.' }
  }
  if (json[start] === "'") return { start, length: 1, reason: 'JSON has double quotes only.' }
  if (error === 'InvalidCommentToken') return { start, length, reason: 'JSON has no comments.' }
  // "PropertyNameExpected" becomes "Property name expected."
  const words = error.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const reason = `${words}.`
  // At the end of the file, point behind the last token.
  return start < json.length ? { start, length, reason } : { start: before, length: 1, reason }
}
