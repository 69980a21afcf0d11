/** Replaces stretches of generated code by shorter ones, mostly calls of `framework/internal`. */
import { groupBy } from '../../util/group-by.ts'
import { tokenize, type Token } from './tokens.ts'

export type Found = (capture: string) => string

export interface RuleText {
  /**
   * The code to find. `$a` captures one token, `$$a` a run of tokens with matching brackets and without a comma outside of them. A
   * capture that occurs again matches the same code.
   */
  readonly from: string
  /** The replacement, with captures of `from` and `where`. */
  readonly to: string
  /** Imports of `to` from `framework/internal`. */
  readonly uses?: readonly string[]
  /** Checks the captures, and may add some. `undefined` if the rule doesn't apply. */
  readonly where?: (found: Found) => Readonly<Record<string, string>> | undefined
}

interface Rule {
  readonly from: readonly Token[]
  readonly to: readonly Token[]
  readonly uses: readonly string[]
  readonly where: RuleText['where']
}

/** By the first token of `from`. */
export type Rules = ReadonlyMap<string, readonly Rule[]>

type Captures = Map<string, readonly Token[]>

export function createRules(texts: readonly RuleText[]): Rules {
  const rules = texts.map(({ from, to, uses = [], where }) => {
    return { from: tokenize(from), to: tokenize(to), uses, where }
  })
  return groupBy(rules, ({ from }) => from[0]?.text ?? '')
}

/**
 * Applies rules in one pass from left to right. Replacements aren't rewritten again, except for runs of several tokens in them.
 *
 * @param use is called with imports of replacements
 */
export function rewrite(
  tokens: readonly Token[],
  rules: Rules,
  use: (name: string) => void = () => undefined,
): readonly Token[] {
  const result: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token
    const match = matchAny(rules.get(token.text), tokens, at)
    if (match === undefined) {
      result.push(token)
      at++
      continue
    }
    for (const name of match.rule.uses) use(name)
    place(match.rule.to, match.captures, token.gap)
    at = match.end
  }
  return result

  function place(template: readonly Token[], captures: Captures, gap: Token['gap']): void {
    for (let i = 0; i < template.length; i++) {
      const part = template[i] as Token
      const captured = captures.get(part.text)
      const run = captured && captured.length > 1 ? rewrite(captured, rules, use) : captured
      const first = run?.[0] ?? part
      const expectedGap = i === 0 ? gap : part.gap
      result.push(first.gap === expectedGap ? first : { ...first, gap: expectedGap })
      for (let j = 1; j < (run?.length ?? 0); j++) result.push(run?.[j] as Token)
    }
  }
}

function matchAny(
  rules: readonly Rule[] | undefined,
  tokens: readonly Token[],
  at: number,
): { rule: Rule; captures: Captures; end: number } | undefined {
  if (rules === undefined) return undefined
  let captures: Captures | undefined
  for (const rule of rules) {
    if (captures === undefined) captures = new Map()
    else captures.clear()
    const end = matchFrom(rule.from, 0, tokens, at, captures)
    if (end === undefined) continue
    if (rule.where !== undefined) {
      const found = captures
      const more = rule.where((capture) => textOf(found.get(capture) ?? []))
      if (more === undefined) continue
      for (const [name, text] of Object.entries(more)) captures.set(name, tokenize(text))
    }
    return { rule, captures, end }
  }
  return undefined
}

/** Returns the end of the match, if there is one. */
function matchFrom(
  pattern: readonly Token[],
  patternAt: number,
  tokens: readonly Token[],
  tokensAt: number,
  captures: Captures,
): number | undefined {
  let at = tokensAt
  for (let i = patternAt; i < pattern.length; i++) {
    const { text } = pattern[i] as Token
    const captured = captures.get(text)
    if (captured !== undefined) {
      if (!startsWith(tokens, at, captured)) return undefined
      at += captured.length
    } else if (text.startsWith('$$')) {
      return matchRun(pattern, i, tokens, at, captures)
    } else if (text.startsWith('$')) {
      const token = tokens[at]
      if (token === undefined) return undefined
      captures.set(text, [token])
      at++
    } else if (tokens[at]?.text === text) {
      at++
    } else {
      return undefined
    }
  }
  return at
}

/** Matches the shortest run of at least one token after which the rest of the pattern matches. */
function matchRun(
  pattern: readonly Token[],
  patternAt: number,
  tokens: readonly Token[],
  start: number,
  captures: Captures,
): number | undefined {
  const name = (pattern[patternAt] as Token).text
  const next = pattern[patternAt + 1]?.text
  const isFixed = next !== undefined && !next.startsWith('$')
  let depth = 0
  for (let end = start; end < tokens.length; end++) {
    if (depth === 0 && end > start && (!isFixed || tokens[end]?.text === next)) {
      const attempt: Captures = new Map(captures).set(name, tokens.slice(start, end))
      const matched = matchFrom(pattern, patternAt + 1, tokens, end, attempt)
      if (matched !== undefined) {
        for (const [key, value] of attempt) captures.set(key, value)
        return matched
      }
    }
    const { text } = tokens[end] as Token
    if (text === '(' || text === '[' || text === '{') depth++
    if (text === ')' || text === ']' || text === '}') depth--
    if (depth < 0 || (depth === 0 && text === ',')) return undefined
  }
  return undefined
}

function startsWith(tokens: readonly Token[], at: number, part: readonly Token[]): boolean {
  return part.every(({ text }, i) => tokens[at + i]?.text === text)
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join('')
}
