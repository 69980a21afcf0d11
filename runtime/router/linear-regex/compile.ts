import { type Expression, type Part, alternativesOf } from './parse.ts'
import { type CharacterSet, characterSet } from './character-set.ts'

/**
 * A step of a program. `next` and `other` are indexes of steps. A `split` tries `next` first.
 *
 * Slots hold positions: two for each group, and one for each repetition whose part may be empty.
 */
export type Step =
  | { readonly kind: 'character'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'split'; next: number; readonly other: number }
  | { readonly kind: 'save'; readonly slot: number; readonly next: number }
  /** Starts an iteration of a repetition: resets the slots `from` to `to` (inclusive), which the iteration before may have set. */
  | { readonly kind: 'clear'; readonly from: number; readonly to: number; readonly next: number }
  /** Fails if nothing was matched since the slot was saved. */
  | { readonly kind: 'progress'; readonly slot: number; readonly next: number }
  | { readonly kind: 'assertion'; readonly source: string; readonly next: number }
  /** A lookahead for a text, which takes no search of its own. */
  | {
      readonly kind: 'ahead'
      readonly text: string
      readonly negative: boolean
      readonly next: number
    }
  | {
      readonly kind: 'lookahead'
      readonly negative: boolean
      readonly start: number
      readonly next: number
    }
  | { readonly kind: 'match' }

/** A compiled expression. */
export interface Program {
  readonly steps: readonly Step[]
  readonly start: number
  readonly groups: number
  readonly slots: number
  /** The number of steps after which another one may have to be tried. */
  readonly choices: number
}

/** Limits time and memory, which grow with the number of steps. */
const maxSteps = 1000

/**
 * Compiles an expression. Returns `null` if it can't be matched in linear time: for backreferences, for a lookahead that a repetition
 * may move, and for large counts.
 */
export function compileExpression({ alternatives, groups }: Expression): Program | null {
  const steps: Step[] = []
  let slots = 2 * (groups + 1)
  let isLinear = true
  const end = add({ kind: 'match' })
  const start = compileAlternatives(alternatives, end, false)
  const choices = steps.filter(({ kind }) => kind === 'split' || kind === 'lookahead').length
  return isLinear ? { steps, start, groups, slots, choices } : null

  function add(step: Step): number {
    if (steps.length === maxSteps) isLinear = false
    return isLinear ? steps.push(step) - 1 : 0
  }

  /** @param moves whether a repetition before or around the part makes it start at different places */
  function compileAlternatives(branches: Part[][], next: number, moves: boolean): number {
    return branches
      .map((branch) => compileSequence(branch, next, moves))
      .reduceRight((other, branch) => add({ kind: 'split', next: branch, other }))
  }

  function compileSequence(parts: Part[], next: number, moves: boolean): number {
    // Steps are created from the last to the first, but a part is moved by those before it.
    const movesFrom = parts.findIndex(isElastic)
    return parts.reduceRight(
      (after, part, i) => compilePart(part, after, moves || (movesFrom !== -1 && i > movesFrom)),
      next,
    )
  }

  function compilePart(part: Part, next: number, moves: boolean): number {
    switch (part.kind) {
      case 'character':
        return add({ kind: 'character', set: characterSet(part.source), next })
      case 'assertion':
        return add({ kind: 'assertion', source: part.source, next })
      case 'group': {
        const { alternatives: branches, index } = part
        if (index === null) return compileAlternatives(branches, next, moves)
        const close = add({ kind: 'save', slot: 2 * index + 1, next })
        return add({
          kind: 'save',
          slot: 2 * index,
          next: compileAlternatives(branches, close, moves),
        })
      }
      case 'lookahead': {
        const text = textOf(part.alternatives)
        if (text !== null) return add({ kind: 'ahead', text, negative: part.negative, next })
        if (moves) isLinear = false
        const inner = compileAlternatives(part.alternatives, end, moves)
        return add({ kind: 'lookahead', negative: part.negative, start: inner, next })
      }
      case 'repetition':
        return compileRepetition(part, next, moves)
      case 'backreference':
        isLinear = false
        return next
    }
  }

  function compileRepetition(
    { part, min, max, lazy }: Part & { kind: 'repetition' },
    next: number,
    moves: boolean,
  ): number {
    const movesInside = moves || max > 1
    const slot = isNullable(part) ? slots++ : null
    let after = next
    if (max === Infinity) {
      const loop = { kind: 'split' as const, next: 0, other: 0 }
      const head = add(loop)
      const body = optional(head)
      Object.assign(loop, lazy ? { next, other: body } : { next: body, other: next })
      after = head
    } else {
      for (let i = min; i < max && isLinear; i++) {
        const body = optional(after)
        after = add(
          lazy ? { kind: 'split', next, other: body } : { kind: 'split', next: body, other: next },
        )
      }
    }
    for (let i = 0; i < min && isLinear; i++) {
      const body = once(after)
      // An empty part adds no steps, however often it's repeated.
      if (body === after) break
      after = body
    }
    return after

    function optional(then: number): number {
      if (slot === null) return once(then)
      const body = once(add({ kind: 'progress', slot, next: then }))
      return add({ kind: 'save', slot, next: body })
    }

    function once(then: number): number {
      const body = compilePart(part, then, movesInside)
      const [from, to] = groupsIn(part)
      return from > to ? body : add({ kind: 'clear', from: 2 * from, to: 2 * to + 1, next: body })
    }
  }
}

/** Returns the text if an expression matches only one, or else `null`. */
function textOf([branch = [], ...others]: Part[][]): string | null {
  if (others.length > 0) return null
  let text = ''
  for (const part of branch) {
    const [, char] = part.kind === 'character' ? (TEXT.exec(part.source) ?? []) : []
    if (char === undefined) return null
    text += char
  }
  return text
}

/** A character that stands for itself, perhaps escaped. */
const TEXT = /^(?:\\(?=\W))?([^.[\\]|(?<=\\).)$/

/** Returns whether the length of a part's match varies because of a repetition. */
function isElastic(part: Part): boolean {
  if (part.kind === 'repetition') return part.max !== part.min || isElastic(part.part)
  return part.kind === 'group' && part.alternatives.flat().some(isElastic)
}

function isNullable(part: Part): boolean {
  if (part.kind === 'repetition') return part.min === 0 || isNullable(part.part)
  if (part.kind === 'group') return part.alternatives.some((branch) => branch.every(isNullable))
  return part.kind !== 'character'
}

/** Returns the first and the last capturing group of a part. The first is greater if there is none. */
function groupsIn(part: Part): [number, number] {
  if (part.kind === 'repetition') return groupsIn(part.part)
  const inner = alternativesOf(part).flat().map(groupsIn)
  const index = part.kind === 'group' && part.index !== null ? [part.index] : []
  return [
    Math.min(...index, ...inner.map(([first]) => first), Infinity),
    Math.max(...index, ...inner.map(([, last]) => last), -Infinity),
  ]
}
