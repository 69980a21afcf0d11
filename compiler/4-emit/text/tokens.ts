/** Splits generated JavaScript into tokens: as much of the grammar as Ajv and fast-json-stringify write. */

export interface Token {
  /** `mark`: one character of punctuation. */
  readonly kind: 'name' | 'number' | 'string' | 'template' | 'regexp' | 'mark'
  readonly text: string
  /** Whitespace and comments before it, reduced to the one character that matters. */
  readonly gap: '' | ' ' | '\n'
}

const GAP = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y
const NAME = /[A-Za-z_$][\w$]*/y
const NUMBER = /\d[\w$.]*/y
const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/y
/** Without substitutions. */
const TEMPLATE = /`(?:[^`\\$]|\\[^]|\$(?!\{))*`/y
const REGEXP = /\/(?:[^/\\[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\/[a-z]*/y
const MARK = /[^]/y

/** After these a slash divides, except after `return`. Anywhere else it starts a regular expression. */
const ENDS_OPERAND = /[\w$"'`)\]}]$/

/** @throws SyntaxError for a literal that it can't read, such as a template with substitutions */
export function tokenize(code: string): Token[] {
  const tokens: Token[] = []
  let before = ''
  let at = 0
  for (;;) {
    const space = read(GAP, code, at)
    at += space.length
    if (at === code.length) return tokens
    const [kind, pattern] = kindAt(code.charAt(at), before)
    const text = read(pattern, code, at)
    if (text === '') throw new SyntaxError(`Unexpected ${code[at]} at ${at}`)
    tokens.push({ kind, text, gap: reduce(space) })
    before = text
    at += text.length
  }
}

/** Returns whether code contains a template, or a backtick and can't be read. In validators, only keywords of the application write such code. */
export function hasTemplate(code: string): boolean {
  if (!code.includes('`')) return false
  try {
    return tokenize(code).some(({ kind }) => kind === 'template')
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}

/** Joins the tokens without comments and indentation. */
export function join(tokens: readonly Token[]): string {
  let code = ''
  for (const { gap, text } of tokens) code += gap + text
  return code
}

function kindAt(first: string, before: string): readonly [Token['kind'], RegExp] {
  if (/[A-Za-z_$]/.test(first)) return ['name', NAME]
  if (/\d/.test(first)) return ['number', NUMBER]
  if (first === '"' || first === "'") return ['string', STRING]
  if (first === '`') return ['template', TEMPLATE]
  const isRegExp = first === '/' && (before === 'return' || !ENDS_OPERAND.test(before))
  return isRegExp ? ['regexp', REGEXP] : ['mark', MARK]
}

function reduce(space: string): Token['gap'] {
  if (space === '' || space === ' ') return space
  return /[\n\r\u2028\u2029]/.test(space) ? '\n' : ' '
}

/** Reads what matches at exactly this place, or ''. */
function read(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0] ?? ''
}
