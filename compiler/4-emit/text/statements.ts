/** Splits the code of a unit into statements, and renames variables in it. */
import type { Token } from './tokens.ts'

/** Statements by the names that they declare. */
type Declarations = ReadonlyMap<string, readonly Token[]>

interface Statements {
  readonly functions: Declarations
  /** Literals that units can share. */
  readonly constants: Declarations
  /** All other statements, in their order. */
  readonly rest: readonly Token[]
}

export function splitStatements(tokens: readonly Token[]): Statements {
  const functions = new Map<string, readonly Token[]>()
  const constants = new Map<string, readonly Token[]>()
  const rest: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const end = isFunction(tokens, at) ? endOfFunction(tokens, at) : endOfStatement(tokens, at)
    const statement = tokens.slice(at, end)
    const [keyword, name = '', equals] = statement.map(({ text }) => text)
    if (keyword === 'function') functions.set(name, statement)
    else if (keyword === 'const' && equals === '=' && isLiteral(statement.slice(3)))
      constants.set(name, statement)
    else rest.push(...statement)
    at = end
  }
  return { functions, constants, rest }
}

function isFunction(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'function' && tokens[at + 1]?.kind === 'name'
}

/** Returns the position after the body, which follows the parameters. */
function endOfFunction(tokens: readonly Token[], at: number): number {
  return endOfGroup(tokens, endOfGroup(tokens, at + 2))
}

/** Returns the position after the first semicolon, or before a function on a new line: fast-json-stringify writes few semicolons. */
function endOfStatement(tokens: readonly Token[], start: number): number {
  for (let at = start; at < tokens.length;) {
    if (at > start && tokens[at]?.gap === '\n' && isFunction(tokens, at)) return at
    if (tokens[at]?.text === ';') return at + 1
    at = '([{'.includes(tokens[at]?.text as string) ? endOfGroup(tokens, at) : at + 1
  }
  return tokens.length
}

/** Returns the position after the bracket that closes the one at `open`. */
function endOfGroup(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token
    if (kind !== 'mark') continue
    if ('([{'.includes(text)) depth++
    if (')]}'.includes(text) && --depth === 0) return at + 1
  }
  throw new SyntaxError('A bracket is not closed')
}

function isLiteral(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind, text }, i) => {
    if (kind === 'string') {
      // With the flag g or y, a regular expression has a state.
      return tokens[i - 1]?.text !== ',' || tokens[i + 1]?.text !== ')' || !/[gy]/.test(text)
    }
    if (kind !== 'name') return kind === 'number' || kind === 'mark'
    return /^(?:new|RegExp|true|false|null)$/.test(text) || isKey(tokens, i)
  })
}

/** Returns the names in the code that aren't those of properties. */
export function mentions(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  tokens.forEach(({ kind, text }, i) => {
    if (kind === 'name' && !isProperty(tokens, i)) names.add(text)
  })
  return names
}

export function declarations(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>()
  tokens.forEach(({ text }, i) => {
    if (/^(?:const|let|var)$/.test(tokens[i - 1]?.text ?? '')) names.add(text)
  })
  return names
}

export function rename(
  tokens: readonly Token[],
  names: ReadonlyMap<string, string>,
): readonly Token[] {
  if (names.size === 0) return tokens
  return tokens.map((token, i) => {
    if (token.kind !== 'name') return token
    const text = names.get(token.text)
    return text === undefined || isProperty(tokens, i)
      ? token
      : { kind: 'name', text, gap: token.gap }
  })
}

/** Numbers of fast-json-stringify's variables, counted across all functions of a unit. */
const COUNTED = /_\d+$/

/** Numbers such variables in the order of their declaration, so that equal functions have equal text. */
export function recounted(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const counted = [...declarations(tokens)].filter((name) => COUNTED.test(name))
  return new Map(counted.map((name, i) => [name, `$v${i}`]))
}

function isProperty(tokens: readonly Token[], i: number): boolean {
  return tokens[i - 1]?.text === '.' || isKey(tokens, i)
}

function isKey(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text
  return tokens[i + 1]?.text === ':' && (before === '{' || before === ',')
}
