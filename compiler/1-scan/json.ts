/** Finds syntax errors in JSON files, and reads JSON with comments. */
import { createRequire } from 'node:module'
import type * as JsoncParser from 'jsonc-parser'

interface JsonProblem {
  readonly start: number
  readonly length: number
  readonly reason: string
}

function loadParser(): typeof JsoncParser {
  return createRequire(import.meta.url)('jsonc-parser') as typeof JsoncParser
}

/** Returns the value of JSON with comments and trailing commas, such as tsconfig.json; `undefined` if it has errors. */
export function parseJsonWithComments(text: string): unknown {
  const json = withoutMark(text)
  if (isJson(json)) return JSON.parse(json)
  const errors: JsoncParser.ParseError[] = []
  const value: unknown = loadParser().parse(json, errors, { allowTrailingComma: true })
  return errors.length === 0 ? value : undefined
}

/** Returns the first error of a text that Node reads as JSON. Messages of `JSON.parse` differ between releases of Node and often lack the place. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const json = withoutMark(text)
  if (isJson(json)) return undefined
  const { parse, printParseErrorCode } = loadParser()
  const errors: JsoncParser.ParseError[] = []
  parse(json, errors, { disallowComments: true })
  // The error after an unknown symbol says what is expected in its place.
  const [first = { error: 4, offset: 0, length: 1 }, second = first] = errors
  const name = printParseErrorCode(first.error)
  const expected = name === 'InvalidSymbol' ? printParseErrorCode(second.error) : name
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

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
