import { type Part, alternativesOf, parseExpression } from './linear-regex/parse.ts'

/** The maximum of repetitions in an expression. */
const maxRepetitions = 25

/**
 * Returns whether an expression has no nested repetitions, and not too many. This is the heuristic of safe-regex2 2.0, which find-my-way
 * uses: an expression that passes may still take exponential time with backtracking.
 *
 * As there, named groups and lookbehind are unsafe, and neither repeated groups with several alternatives nor lazy repetitions are searched.
 */
export function isSafeRegex(regex: RegExp): boolean {
  const root = parseExpression(regex.source)
  if (root === null) {
    return false
  }
  let repetitions = 0
  return root.alternatives.every((sequence) => isFlat(sequence, 0))

  function isFlat(sequence: Part[], depth: number): boolean {
    return sequence.every((part) => {
      if (part.kind !== 'repetition') {
        return alternativesOf(part).every((inner) => isFlat(inner, depth))
      }
      repetitions++
      if (depth > 0 || repetitions > maxRepetitions) {
        return false
      }
      const alternatives = part.lazy ? [] : alternativesOf(part.part)
      const [first] = alternatives
      return first === undefined || alternatives.length > 1 || isFlat(first, depth + 1)
    })
  }
}
