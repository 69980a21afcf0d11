/** Finds syntax errors in JSON files, and reads JSON with comments. */
import { createRequire } from 'node:module'
import type * as JsoncParser from 'jsonc-parser'

/** The first syntax error of a JSON text. */
export interface JsonProblem {
  readonly start: number
  readonly length: number
  readonly reason: string
}

/** Loads the parser only when it is needed: valid JSON is read without it. */
function parser(): typeof JsoncParser {
  return createRequire(import.meta.url)('jsonc-parser') as typeof JsoncParser
}

/** Returns the value of JSON with comments and trailing commas, such as tsconfig.json; `undefined` if it has errors. */
export function parseJsonWithComments(text: string): unknown {
  const json = withoutMark(text)
  if (isJson(json)) return JSON.parse(json)
  const { parse } = parser()
  const errors: JsoncParser.ParseError[] = []
  const value: unknown = parse(json, errors, { allowTrailingComma: true })
  return errors.length === 0 ? value : undefined
}

/**
 * Returns the first error of a text that Node reads as JSON; `undefined` if it is valid. `JSON.parse` decides whether there
 * is one. Its own messages differ between releases of Node and often lack the place.
 */
export function jsonProblem(text: string): JsonProblem | undefined {
  const json = withoutMark(text)
  if (isJson(json)) return undefined
  const { visit, printParseErrorCode } = parser()
  const errors: { name: Code; start: number; length: number }[] = []
  const onError = (code: JsoncParser.ParseErrorCode, start: number, length: number): void =>
    void errors.push({ name: printParseErrorCode(code) as Code, start, length })
  visit(json, { onError }, { disallowComments: true })
  const problem = describe(json, errors)
  return { ...problem, start: problem.start + text.length - json.length }
}

type Code = Exclude<
  ReturnType<(typeof JsoncParser)['printParseErrorCode']>,
  '<unknown ParseErrorCode>'
>

const reasons: Readonly<Record<Code, string>> = {
  InvalidSymbol: 'JSON value expected.',
  InvalidNumberFormat: 'Invalid number.',
  PropertyNameExpected: 'Name in double quotes expected.',
  ValueExpected: 'JSON value expected.',
  ColonExpected: "':' expected.",
  CommaExpected: "',' expected.",
  CloseBraceExpected: "',' or '}' expected.",
  CloseBracketExpected: "',' or ']' expected.",
  EndOfFileExpected: 'End of the file expected.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'Unterminated string.',
  UnexpectedEndOfNumber: 'Invalid number.',
  InvalidUnicode: 'JSON has no such escape sequence.',
  InvalidEscapeCharacter: 'JSON has no such escape sequence.',
  InvalidCharacter: 'A control character in a string has to be escaped.',
}

function describe(
  json: string,
  [first, second]: readonly { name: Code; start: number; length: number }[],
): JsonProblem {
  if (first === undefined) return { start: 0, length: 1, reason: reasons.ValueExpected }
  const { name, start, length } = first
  const before = json.slice(0, start).trimEnd()
  if (before.endsWith(',') && /[\]}]/.test(json[start] ?? '')) {
    const reason = 'JSON has no comma after the last element.'
    return { start: before.length - 1, length: 1, reason }
  }
  // At the end of the file, point behind the last token.
  if (start >= json.length) return { start: before.length, length: 1, reason: reasons[name] }
  if (name === 'UnexpectedEndOfString') {
    return { start: start + length, length: 1, reason: reasons[name] }
  }
  if (json[start] === "'") return { start, length: 1, reason: 'JSON has double quotes only.' }
  // The next error tells what an unknown symbol stands in place of.
  const code = name === 'InvalidSymbol' ? (second?.name ?? name) : name
  return { start, length, reason: reasons[code] }
}

/** Node ignores a byte order mark as well. */
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
