import { areDisjoint, type CharacterSet } from './character-set.ts'
import type { Program } from './compile.ts'

/**
 * Returns whether the next character decides each choice of an expression. Then `RegExp` never backtracks and takes linear time.
 */
export function isDeterministic({ steps }: Program): boolean {
  return steps.every((step) => {
    if (step.kind === 'lookahead') return false
    if (step.kind !== 'split') return true
    const [first, second] = [reachable(step.next), reachable(step.other)]
    for (const at of first) if (second.has(at)) return false
    return setsOf(first).every((a) => setsOf(second).every((b) => areDisjoint(a, b)))
  })

  /** Returns the steps that can be reached without consuming a character. */
  function reachable(start: number): Set<number> {
    const found = new Set<number>()
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const step = steps[at]
      if (step === undefined || found.has(at)) continue
      found.add(at)
      if (step.kind === 'split') open.push(step.next, step.other)
      else if (step.kind !== 'character' && step.kind !== 'match') open.push(step.next)
    }
    return found
  }

  function setsOf(at: ReadonlySet<number>): CharacterSet[] {
    return [...at].flatMap((each) => {
      const step = steps[each]
      return step?.kind === 'character' ? [step.set] : []
    })
  }
}
