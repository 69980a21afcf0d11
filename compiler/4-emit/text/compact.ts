import { collectingCall, errorRules, silentRules } from './error-rules.ts'
import { toDirect, slim } from './parameters.ts'
import { createRules, rewrite, type Rules } from './rewrite.ts'
import { join, tokenize, type Token } from './tokens.ts'
import { valueRules } from './value-rules.ts'

/** The errors that callers read: the first one, all of them, or none. */
export type Reporting = 'errors' | 'every error' | 'verdict'

/** `direct`: takes the value alone and returns the errors (`direct-refs.ts`). */
export type Calling = 'plain' | 'direct'

const rules: Readonly<Record<Reporting, Rules>> = {
  errors: createRules([...valueRules, ...errorRules]),
  // Errors stay written out: with many of them, it takes twice as long to put their texts together.
  'every error': createRules([...valueRules, collectingCall]),
  verdict: createRules([...valueRules, ...silentRules]),
}

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

/** The number of results to keep: many validators contain the functions of shared schemas. */
const LIMIT = 500

const kept = new Map<string, CompactCode>()

/** Shortens a function that Ajv generated without changing what it does. */
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
  // Code with templates, which keywords of the application may write, stays as it is.
  if (code.includes('`')) return { code, imports: [], undeclared: [] }
  const imports = new Set<string>()
  const use = (name: string): void => void imports.add(name)
  const short = rewrite(tokenize(code), rules[reporting], use)
  const tokens = calling === 'direct' ? toDirect(short) : slim(short, use)
  return { code: join(tokens), imports: [...imports], undeclared: undeclaredIn(tokens) }
}

const DECLARATION = /^(?:let|const|var)$/
/** Ajv's names for variables inside of a function. */
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
