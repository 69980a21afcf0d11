/** Repetitions that one expression may have. */
const maxRepetitions = 25

/** A parsed expression, reduced to what decides about safety. */
interface Atom {
  /** What is repeated, when this is a repetition. */
  repeats: Atom | undefined
  /** What a group consists of, per alternative. */
  alternatives: Atom[][] | undefined
}

/**
 * Whether an expression cannot take exponential time: no repetition inside a repetition, and not too
 * many of them. A heuristic with the verdicts of safe-regex2 2.0, which find-my-way asks.
 *
 * Named groups and lookbehind count as unsafe, and a repeated group of several alternatives
 * is not looked into: both as there.
 */
export function isSafeRegex(regex: RegExp): boolean {
  const root = parse(regex.source)
  if (root === null) {
    return false
  }
  let repetitions = 0
  return root.every((sequence) => isFlat(sequence, 0))

  function isFlat(sequence: Atom[], depth: number): boolean {
    return sequence.every((atom) => {
      if (atom.repeats === undefined) {
        return (atom.alternatives ?? []).every((inner) => isFlat(inner, depth))
      }
      repetitions++
      if (depth > 0 || repetitions > maxRepetitions) {
        return false
      }
      const { alternatives = [] } = atom.repeats
      return alternatives.length !== 1 || isFlat(alternatives[0]!, depth + 1)
    })
  }
}

const character: Atom = { repeats: undefined, alternatives: undefined }

/** The alternatives of the whole expression; `null` for syntax that is not understood. */
function parse(source: string): Atom[][] | null {
  const open: Atom[][][] = []
  let alternatives: Atom[][] = [[]]
  let i = 0
  while (i < source.length) {
    const sequence = alternatives.at(-1)!
    const char = source[i++]
    switch (char) {
      case '\\':
        i++
        sequence.push(character)
        break
      case '[':
        i = endOfClass(source, i)
        sequence.push(character)
        break
      case '(': {
        if (source[i] === '?') {
          if (!/[:=!]/.test(source[i + 1] ?? '')) {
            return null
          }
          i += 2
        }
        const inner: Atom[][] = [[]]
        sequence.push({ repeats: undefined, alternatives: inner })
        open.push(alternatives)
        alternatives = inner
        break
      }
      case ')': {
        const outer = open.pop()
        if (outer === undefined) {
          return null
        }
        alternatives = outer
        break
      }
      case '|':
        alternatives.push([])
        break
      case '{':
      case '*':
      case '+':
      case '?': {
        const count = char === '{' ? /^\d+(,\d*)?\}/.exec(source.slice(i)) : ['']
        if (count === null) {
          sequence.push(character)
          break
        }
        const last = sequence.pop()
        if (last === undefined) {
          return null
        }
        i += count[0]!.length
        sequence.push({ repeats: last, alternatives: undefined })
        break
      }
      default:
        sequence.push(character)
    }
  }
  return open.length === 0 ? alternatives : null
}

/** Index after the bracket that closes the character class whose content starts at `from`. */
function endOfClass(source: string, from: number): number {
  let i = from
  while (i < source.length && source[i] !== ']') {
    i += source[i] === '\\' ? 2 : 1
  }
  return i + 1
}
