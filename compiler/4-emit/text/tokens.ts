/** Splits generated JavaScript into tokens; enough of the grammar for what Ajv and fast-json-stringify write. */

export interface Token {
  /** `mark`: one character of punctuation. */
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'regexp' | 'mark'
  readonly text: string
  /** What stood before it, comments included, reduced to what matters. */
  readonly gap: '' | ' ' | '\n'
}

type Kind = Token['kind']

const GAP = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y
/** Without substitutions. */
const TEMPLATE = /`(?:[^`\\$]|\\[^]|\$(?!\{))*`/y
const REGEXP = /\/(?:[^/\\[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\/[a-z]*/y

/** After these a slash divides; anywhere else it starts a regular expression. */
const ENDS_OPERAND = /[\w$"'`)\]}]$/

const SPACE = 32
const SLASH = 47
const DOT = 46
const BACKSLASH = 92

/** Marks are the most frequent of all: one of each kind will do. */
const marks = new Map<string, Token>()

/** Throws a SyntaxError at what it cannot read: the code is not what the emitter knows. */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  let before = ''
  let at = 0
  while (true) {
    const start = at
    if (code.charCodeAt(at) === SPACE) at++
    if (mayBeGap(code.charCodeAt(at))) at += read(GAP, code, at).length
    if (at === code.length) return tokens
    const gap = start === at ? '' : reduce(code.slice(start, at))
    const kind = kindAt(code, at, before)
    const end = kind === 'mark' ? at + 1 : endOf(kind, code, at)
    if (end === at) throw new SyntaxError(`Unexpected ${code[at]} at ${at}`)
    const text = code.slice(at, end)
    tokens.push(kind === 'mark' ? markOf(text, gap) : { kind, text, gap })
    before = text
    at = end
  }
}

/** The code again, without comments and indentation. */
export function join(tokens: readonly Token[]): string {
  let code = ''
  for (const { gap, text } of tokens) code += gap + text
  return code
}

function markOf(text: string, gap: Token['gap']): Token {
  const key = gap + text
  let mark = marks.get(key)
  if (mark === undefined) marks.set(key, (mark = { kind: 'mark', text, gap }))
  return mark
}

/** White space, the start of a comment, or the end. */
function mayBeGap(unit: number): boolean {
  return !(unit > 32 && unit < 127) || unit === SLASH
}

function kindAt(code: string, at: number, before: string): Kind {
  const unit = code.charCodeAt(at)
  if (isLetter(unit)) return 'name'
  if (isDigit(unit)) return 'number'
  if (unit === 34 || unit === 39) return 'string'
  if (unit === 96) return 'template'
  if (unit === SLASH && (before === 'return' || !ENDS_OPERAND.test(before))) return 'regexp'
  return 'mark'
}

/** Where the token ends; `at` itself when it has no end. */
function endOf(kind: Exclude<Kind, 'mark'>, code: string, at: number): number {
  switch (kind) {
    case 'name':
      return endOfWord(code, at)
    case 'number':
      return endOfWord(code, at, DOT)
    case 'string':
      return endOfString(code, at)
    case 'template':
      return at + read(TEMPLATE, code, at).length
    case 'regexp':
      return at + read(REGEXP, code, at).length
  }
}

/** Letters and digits, and `more` besides. */
function endOfWord(code: string, start: number, more?: number): number {
  let at = start + 1
  for (; at < code.length; at++) {
    const unit = code.charCodeAt(at)
    if (!isLetter(unit) && !isDigit(unit) && unit !== more) break
  }
  return at
}

function endOfString(code: string, start: number): number {
  const quote = code.charCodeAt(start)
  for (let at = start + 1; at < code.length; at++) {
    const unit = code.charCodeAt(at)
    if (unit === quote) return at + 1
    if (unit === BACKSLASH) at++
  }
  return start
}

/** a-z, A-Z, _, $ */
function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 36
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57
}

function reduce(space: string): Token['gap'] {
  return space !== ' ' && /[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '
}

/** What matches at exactly this place, else ''. */
function read(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0] ?? ''
}
