/** Changes single members of JSON texts, keeping order, indentation, comments and line endings. */
import type { JSONPath, ParseError } from 'jsonc-parser'
import { applyEdits, modify, parse, printParseErrorCode } from 'jsonc-parser'

/** A syntax error in a JSON text. */
export interface JsonFault {
  readonly reason: string
  /** Offset in the text. */
  readonly offset: number
}

/** @param comments whether comments and trailing commas are allowed */
export function readJson(text: string, comments: boolean): { readonly value: unknown } | JsonFault {
  const errors: ParseError[] = []
  const options = { disallowComments: !comments, allowTrailingComma: comments }
  const own = withoutMark(text)
  const value: unknown = parse(own, errors, options)
  const [first] = errors
  if (first === undefined) return { value }
  const { error, offset } = first
  return { reason: printParseErrorCode(error), offset: offset + text.length - own.length }
}

/**
 * Sets a member. A new one goes to its place among sorted members, else to the end.
 *
 * @param value undefined removes the member
 */
export function setMember(text: string, path: JSONPath, value: unknown): string {
  const own = withoutMark(text)
  const edits = modify(own, path, value, {
    formattingOptions: { ...indentationOf(own), eol: own.includes('\r\n') ? '\r\n' : '\n' },
    getInsertionIndex: (names) => placeAmong(names, String(path.at(-1))),
  })
  return text.slice(0, text.length - own.length) + applyEdits(own, edits)
}

function placeAmong(names: readonly string[], name: string): number {
  const isSorted = names.every((one, i) => i === 0 || (names[i - 1] as string) <= one)
  const place = isSorted ? names.findIndex((one) => one > name) : -1
  return place === -1 ? names.length : place
}

/** Uses the indentation of the first indented line. */
function indentationOf(text: string): { insertSpaces: boolean; tabSize: number } {
  const [, indentation = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return { insertSpaces: !indentation.startsWith('\t'), tabSize: indentation.length }
}

/** Removes the byte order mark that some editors write. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '')
}
