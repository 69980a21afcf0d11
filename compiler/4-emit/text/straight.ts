/**
 * Drops the counting of errors where there is nothing to count. Most validators return at their first error,
 * so that the count stays 0, every part is valid, and every test of it is a foregone conclusion.
 */
import { createRules, rewrite, type Found } from './rewrite.ts'
import type { Token } from './tokens.ts'

const VERDICT = /^valid\d+$/
const DECLARATION = /^(?:let|const|var)$/

const isVerdict = (found: Found): Record<string, never> | undefined =>
  VERDICT.test(found('$valid')) ? {} : undefined

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
  if (!areVerdictsKnown(tokens)) return tokens
  const straight = rewrite(tokens, rules)
  const counts = straight.some(
    ({ kind, text }, i) => kind === 'name' && COUNTING.test(text) && straight[i - 1]?.text !== '.',
  )
  return counts ? tokens : straight
}

/** A block of statements, with the verdicts that are set when it has ended. */
interface Block {
  /** Most blocks set none. */
  known?: Set<string>
  /** Those that every arm before it sets, when it is an arm of a condition. */
  readonly arms: ReadonlySet<string> | undefined
  readonly isElse: boolean
  /** For the arm that comes next inside of it. */
  next?: ReadonlySet<string> | undefined
}

/**
 * Whether each verdict is tested only where it was surely set. Of a list with one schema for each item Ajv sets none
 * when the list is empty, and then takes what follows as not to be checked.
 */
function areVerdictsKnown(tokens: readonly Token[]): boolean {
  let block: Block = { arms: undefined, isElse: false }
  const outer: Block[] = []
  let before = ''
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token
    if (text === '{') {
      outer.push(block)
      const inner: Block = { arms: block.next, isElse: before === 'else' }
      block.next = undefined
      block = inner
    } else if (text === '}') {
      const parent = outer.pop()
      if (parent === undefined) return false
      endArm(block, parent, tokens[i + 1]?.text === 'else')
      block = parent
    } else if (kind === 'name' && before !== '.' && VERDICT.test(text)) {
      if (DECLARATION.test(before)) (block.known ??= new Set()).add(text)
      else if (!block.known?.has(text) && !outer.some(({ known }) => known?.has(text))) return false
    }
    before = text
  }
  return true
}

const NONE: ReadonlySet<string> = new Set()

/** What all arms of a condition set, the last of them an `else`, is set after it. */
function endArm({ known, arms, isElse }: Block, parent: Block, hasNext: boolean): void {
  const own = known ?? NONE
  const byAll = arms === undefined ? own : new Set([...own].filter((name) => arms.has(name)))
  if (hasNext) parent.next = byAll
  else if (isElse && arms !== undefined)
    for (const name of byAll) (parent.known ??= new Set()).add(name)
}
