/**
 * Drops the counting of errors where there is nothing to count. Most validators return at their first error,
 * so that the count stays 0, every part is valid, and every test of it is a foregone conclusion.
 */
import { createRules, rewrite, type Found } from './rewrite.ts'
import type { Token } from './tokens.ts'

const isVerdict = (found: Found): Record<string, never> | undefined =>
  /^valid\d+$/.test(found('$valid')) ? {} : undefined

const rules = createRules([
  { from: 'let vErrors = null;let errors = 0;', to: '' },
  { from: 'const $count = errors;', to: '' },
  { from: 'if(errors === $count)', to: 'if(true)' },
  { from: 'if($count === errors)', to: 'if(true)' },
  { from: 'var $valid = $count === errors;', to: '', where: isVerdict },
  { from: 'var $valid = true;', to: '', where: isVerdict },
  { from: 'if($valid)', to: 'if(true)', where: isVerdict },
  { from: 'if(!$valid)', to: 'if(false)', where: isVerdict },
  { from: '.errors = vErrors;return errors === 0;', to: '.errors = null;return true;' },
])

const COUNTING = /^(?:errors|vErrors|_errs\d+|valid\d+)$/

/** The same tokens where anything is left that counts, or that tells valid from invalid otherwise. */
export function straighten(tokens: readonly Token[]): readonly Token[] {
  const straight = rewrite(tokens, rules)
  const counts = straight.some(
    ({ kind, text }, i) => kind === 'name' && COUNTING.test(text) && straight[i - 1]?.text !== '.',
  )
  return counts ? tokens : straight
}
