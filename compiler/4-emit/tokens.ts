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
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /\d[\w.]*/y
const DOUBLE = /"(?:[^"\\]|\\[^])*"/y
const SINGLE = /'(?:[^'\\]|\\[^])*'/y
/** Without substitutions. */
const TEMPLATE = /`(?:[^`\\$]|\\[^]|\$(?!\{))*`/y
const REGEXP = /\/(?:[^/\\[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\/[a-z]*/y

/** After these a slash divides; anywhere else it starts a regular expression. */
const ENDS_OPERAND = /[\w$"'`)\]}]$/

/** Throws a SyntaxError at what it cannot read: the code is not what the emitter knows. */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  let before = ''
  let at = 0
  while (true) {
    const space = read(GAP, code, at)
    at += space.length
    if (at === code.length) return tokens
    const kind = kindAt(code, at, before)
    const text = kind === 'mark' ? (code[at] as string) : read(patternOf(kind, code, at), code, at)
    if (text === '') throw new SyntaxError(`Unexpected ${code[at]} at ${at}`)
    tokens.push({ kind, text, gap: reduce(space) })
    before = text
    at += text.length
  }
}

/** The code again, without comments and indentation. */
export function join(tokens: readonly Token[]): string {
  let code = ''
  for (const { gap, text } of tokens) code += gap + text
  return code
}

function kindAt(code: string, at: number, before: string): Kind {
  const unit = code.charCodeAt(at)
  // a-z, A-Z, _, $
  if ((unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95 || unit === 36) {
    return 'name'
  }
  if (unit >= 48 && unit <= 57) return 'number'
  if (unit === 34 || unit === 39) return 'string'
  if (unit === 96) return 'template'
  if (unit === 47 && (before === 'return' || !ENDS_OPERAND.test(before))) return 'regexp'
  return 'mark'
}

function patternOf(kind: Exclude<Kind, 'mark'>, code: string, at: number): RegExp {
  switch (kind) {
    case 'name':
      return NAME
    case 'number':
      return NUMBER
    case 'string':
      return code[at] === '"' ? DOUBLE : SINGLE
    case 'template':
      return TEMPLATE
    case 'regexp':
      return REGEXP
  }
}

function reduce(space: string): Token['gap'] {
  if (space === '') return ''
  return /[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '
}

/** What matches at exactly this place, else ''. */
function read(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0] ?? ''
}
