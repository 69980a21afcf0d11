/** A part of a regular expression without flags. */
export type Part =
  /** One character: a literal, an escape or a class. */
  | { readonly kind: 'character'; readonly source: string }
  /** `^`, `$`, `\b` or `\B`. */
  | { readonly kind: 'assertion'; readonly source: string }
  /** A group. `index` counts capturing groups from 1. It is `null` for `(?:…)`. */
  | { readonly kind: 'group'; readonly index: number | null; readonly alternatives: Part[][] }
  /** `(?=…)` or `(?!…)`. */
  | { readonly kind: 'lookahead'; readonly negative: boolean; readonly alternatives: Part[][] }
  | {
      readonly kind: 'repetition'
      readonly part: Part
      readonly min: number
      readonly max: number
      readonly lazy: boolean
    }
  /** `\1` to `\9`. */
  | { readonly kind: 'backreference' }

export interface Expression {
  readonly alternatives: Part[][]
  /** The number of capturing groups. */
  readonly groups: number
}

const escape = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|c[A-Za-z]|0[0-7]{0,2}|[^])/y
const count = /\{(\d+)(,?)(\d*)\}/y

/** Returns the alternatives of a group or lookahead. */
export function alternativesOf(part: Part): Part[][] {
  return part.kind === 'group' || part.kind === 'lookahead' ? part.alternatives : []
}

/** Parses a valid expression. Returns `null` for what isn't supported: named groups, modifiers, lookbehind, and `\c` without a letter. */
export function parseExpression(source: string): Expression | null {
  let groups = 0
  let at = 0
  const alternatives = parseAlternatives()
  return alternatives === null || at < source.length ? null : { alternatives, groups }

  function parseAlternatives(): Part[][] | null {
    let current: Part[] = []
    const found = [current]
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at++
        found.push((current = []))
        continue
      }
      const part = parsePart()
      if (part === null) return null
      current.push(parseRepetition(part))
    }
    return found
  }

  function parsePart(): Part | null {
    const char = source.charAt(at)
    if (char === '(') return parseGroup()
    if (char === '^' || char === '$') {
      at++
      return { kind: 'assertion', source: char }
    }
    if (char === '[') return { kind: 'character', source: take(endOfClass(source, at)) }
    if (char !== '\\') return { kind: 'character', source: take(at + 1) }
    escape.lastIndex = at
    const escaped = take(at + (escape.exec(source)?.[0].length ?? 1))
    if (/^\\b$/i.test(escaped)) return { kind: 'assertion', source: escaped }
    // `\c` without a letter matches two characters.
    if (escaped === '\\c') return null
    return /^\\[1-9]/.test(escaped)
      ? { kind: 'backreference' }
      : { kind: 'character', source: escaped }
  }

  function parseGroup(): Part | null {
    at++
    let kind = ''
    let index: number | null = null
    if (source[at] === '?') {
      kind = source[at + 1] ?? ''
      if (kind !== ':' && kind !== '=' && kind !== '!') return null
      at += 2
    } else index = ++groups
    const inner = parseAlternatives()
    if (inner === null) return null
    at++
    if (kind === '=' || kind === '!') {
      return { kind: 'lookahead', negative: kind === '!', alternatives: inner }
    }
    return { kind: 'group', index, alternatives: inner }
  }

  function parseRepetition(part: Part): Part {
    let [min, max] = [1, 1]
    const char = source[at]
    if (char === '*' || char === '+' || char === '?') {
      at++
      min = char === '+' ? 1 : 0
      max = char === '?' ? 1 : Infinity
    } else {
      count.lastIndex = at
      const counted = count.exec(source)
      if (counted === null) return part
      const [all, from, comma, to] = counted
      at += all.length
      min = Number(from)
      max = comma === '' ? min : to === '' ? Infinity : Number(to)
    }
    const lazy = source[at] === '?'
    if (lazy) at++
    return { kind: 'repetition', part, min, max, lazy }
  }

  function take(end: number): string {
    const text = source.slice(at, end)
    at = end
    return text
  }
}

/** Returns the end of the character class that starts at `from`. */
function endOfClass(source: string, from: number): number {
  let i = from + 1
  while (i < source.length && source[i] !== ']') i += source[i] === '\\' ? 2 : 1
  return i + 1
}
