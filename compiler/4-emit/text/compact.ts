import { collectingCall, errorRules } from './error-rules.ts'
import { toDirect, slim } from './parameters.ts'
import { createRules, rewrite } from './rewrite.ts'
import { declarations } from './statements.ts'
import { hasTemplate, join, tokenize, type Token } from './tokens.ts'
import { valueRules } from './value-rules.ts'

/** `direct`: takes the value alone and returns the errors (`direct-refs.ts`). */
export type Calling = 'plain' | 'direct'

const firstError = createRules([...valueRules, ...errorRules])
/** For `allErrors`. Errors stay written out: a value may have many, and functions that put messages together take twice as long. */
const everyError = createRules([...valueRules, collectingCall])

export interface CompactCode {
  readonly code: string
  /** New imports from `framework/internal`. */
  readonly imports: readonly string[]
  /**
   * Variables that the code assigns without declaring them: Ajv does so for keywords that are always valid. In strict mode this would
   * throw.
   */
  readonly undeclared: readonly string[]
}

/**
 * Shortens a function that Ajv generated without changing what it checks.
 *
 * @param collects Ajv's option `allErrors`
 */
export function compact(code: string, collects: boolean, calling: Calling): CompactCode {
  // The rules are for Ajv's code, not for code that a keyword of the application has written.
  if (hasTemplate(code)) return { code, imports: [], undeclared: [] }
  const imports = new Set<string>()
  const use = (name: string): void => void imports.add(name)
  const short = rewrite(tokenize(code), collects ? everyError : firstError, use)
  const tokens = calling === 'direct' ? toDirect(short) : slim(short)
  return { code: join(tokens), imports: [...imports], undeclared: undeclaredIn(tokens) }
}

/** Ajv's names for variables inside of a function. */
const VARIABLE = /^[A-Za-z_]+\d+$/

function undeclaredIn(tokens: readonly Token[]): string[] {
  const declared = declarations(tokens)
  const assigned = tokens.filter(({ kind, text }, i) => {
    const [before, next, afterNext] = [i - 1, i + 1, i + 2].map((at) => tokens[at]?.text)
    const isAssigned = before !== '.' && next === '=' && afterNext !== '='
    return isAssigned && kind === 'name' && VARIABLE.test(text) && !declared.has(text)
  })
  return [...new Set(assigned.map(({ text }) => text))]
}
