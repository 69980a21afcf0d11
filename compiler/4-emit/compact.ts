import { rewrite, type Rules } from './rewrite.ts'
import { join, tokenize, type Token } from './tokens.ts'
import { errorRules, parentRules, silentRules, valueRules } from './validator-rules.ts'

/** Whether anybody reads what a validator reports, or only whether it fits. */
export type Reporting = 'errors' | 'verdict'

const passes: Readonly<Record<Reporting, readonly Rules[]>> = {
  errors: [valueRules, parentRules, errorRules],
  verdict: [valueRules, parentRules, silentRules],
}

/**
 * Shortens a function that Ajv generated, without a change of what it does.
 *
 * @param use told the names that the code then takes from `framework/internal`
 */
export function compact(code: string, reporting: Reporting, use: (name: string) => void): string {
  // A keyword of the user's may bring templates; such code stays as it is.
  if (code.includes('`')) return code
  const tokens = passes[reporting].reduce<readonly Token[]>(
    (before, rules) => rewrite(before, rules, use),
    tokenize(code),
  )
  return join(tokens)
}
