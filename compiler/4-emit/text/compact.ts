import { collectingCall, errorRules, silentRules } from './error-rules.ts'
import { toDirect, slim } from './parameters.ts'
import { createRules, rewrite, type Rules } from './rewrite.ts'
import { join, tokenize, type Token } from './tokens.ts'
import { valueRules } from './value-rules.ts'

/** Whether anybody reads what a validator reports, all of it or the first error, or only whether it fits. */
export type Reporting = 'errors' | 'every error' | 'verdict'

/** `light`: for those who give the value alone and want the errors (`direct-refs.ts`). */
export type Calling = 'plain' | 'direct'

const rules: Readonly<Record<Reporting, Rules>> = {
  errors: createRules([...valueRules, ...errorRules]),
  // Each error is written out, as Ajv does it. A value then costs the more the more is wrong with it, and putting texts
  // together twice as much as having them.
  'every error': createRules([...valueRules, collectingCall]),
  verdict: createRules([...valueRules, ...silentRules]),
}

export interface CompactCode {
  readonly code: string
  /** Names that it takes from `framework/internal`, besides those that it had before. */
  readonly imports: readonly string[]
  /**
   * Variables that the code assigns without declaring them. Ajv leaves such behind for keywords that are
   * always valid; where it evaluates code that makes a global variable, in strict mode it would throw.
   */
  readonly undeclared: readonly string[]
}

/** How many results are kept: many validators have the functions for shared schemas in common. */
const LIMIT = 500

const kept = new Map<string, CompactCode>()

/** Shortens a function that Ajv generated, without a change of what it does. */
export function compact(code: string, reporting: Reporting, calling: Calling): CompactCode {
  const key = `${reporting} ${calling} ${code}`
  let compacted = kept.get(key)
  if (compacted === undefined) {
    compacted = compactAnew(code, reporting, calling)
    if (kept.size === LIMIT) kept.clear()
    kept.set(key, compacted)
  }
  return compacted
}

function compactAnew(code: string, reporting: Reporting, calling: Calling): CompactCode {
  // A keyword of the user's may bring templates; such code stays as it is.
  if (code.includes('`')) return { code, imports: [], undeclared: [] }
  const imports = new Set<string>()
  const use = (name: string): void => void imports.add(name)
  const short = rewrite(tokenize(code), rules[reporting], use)
  const tokens = calling === 'direct' ? toDirect(short) : slim(short, use)
  return { code: join(tokens), imports: [...imports], undeclared: undeclaredIn(tokens) }
}

const DECLARATION = /^(?:let|const|var)$/
/** How Ajv names what is inside of a function. */
const VARIABLE = /^[A-Za-z_]+\d+$/

function undeclaredIn(tokens: readonly Token[]): string[] {
  const assigned = new Set<string>()
  const declared = new Set<string>()
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token
    if (kind !== 'name' || !VARIABLE.test(text)) continue
    const before = tokens[i - 1]?.text ?? ''
    const [next, afterNext] = [tokens[i + 1]?.text, tokens[i + 2]?.text]
    if (DECLARATION.test(before)) declared.add(text)
    else if (before !== '.' && next === '=' && afterNext !== '=') assigned.add(text)
  }
  return [...assigned].filter((name) => !declared.has(name))
}
