/** Splits generated JavaScript into tokens; enough of the grammar for what fast-json-stringify writes. */

export interface Token {
  /** `mark`: one character of punctuation. */
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'regexp' | 'mark'
  readonly text: string
  /** What stood before it, comments included, reduced to what matters. */
  readonly gap: '' | ' ' | '\n'
}

const GAP = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y

/** A template must not have substitutions in it. */
const TOKEN =
  /(?<name>[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*)|(?<string>"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|(?<template>`(?:[^`\\$]|\\[^]|\$(?!\{))*`)|(?<mark>[^`"'])/y

const REGEXP =
  /(?<regexp>\/(?:[^/\\[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\/[a-z]*)/y

/** After these a slash divides; anywhere else it starts a regular expression. */
const ENDS_OPERAND = /[\w$"'`)\]}]$/

/** Throws a SyntaxError at what it cannot read: the code is not what the emitter knows. */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (true) {
    const space = match(GAP, code, at)?.[0] ?? ''
    at += space.length
    if (at === code.length) return tokens
    const before = tokens.at(-1)?.text ?? ''
    const isRegExp = code[at] === '/' && (before === 'return' || !ENDS_OPERAND.test(before))
    const found = match(isRegExp ? REGEXP : TOKEN, code, at)
    if (found === null) throw new SyntaxError(`Unexpected ${code[at]} at ${at}`)
    const [kind, text] = Object.entries(found.groups ?? {}).find(
      ([, group]) => group !== undefined,
    ) as [Token['kind'], string]
    tokens.push({ kind, text, gap: reduce(space) })
    at += text.length
  }
}

/** The code again, without comments and indentation. */
export function join(tokens: readonly Token[]): string {
  return tokens.map(({ gap, text }) => gap + text).join('')
}

function reduce(space: string): Token['gap'] {
  if (space === '') return ''
  return /[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '
}

function match(pattern: RegExp, code: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(code)
}
