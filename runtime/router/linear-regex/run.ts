import type { Program } from './compile.ts'

/** Counts the steps of a run, for tests. */
export interface Count {
  steps: number
}

/**
 * Matches a text like `RegExp`, but in linear time: no step is tried twice at the same place. Without backreferences, a second try would fail
 * as well. Groups in a repetition whose part may be empty, such as `(a*?)*`, may differ. Lookaheads, which start a search of their own, are only
 * compiled where few places can try them.
 *
 * @returns the text and the groups, or `null`
 */
export function runProgram(
  program: Program,
  text: string,
  count?: Count,
): (string | undefined)[] | null {
  const slots = new Int32Array(program.slots).fill(-1)
  if (!search(program, program.start, text, 0, slots, count)) return null
  const found: (string | undefined)[] = [text]
  for (let group = 1; group <= program.groups; group++) {
    const [start, end] = [slots[2 * group]!, slots[2 * group + 1]!]
    found.push(end === -1 ? undefined : text.slice(start, end))
  }
  return found
}

function search(
  program: Program,
  start: number,
  text: string,
  from: number,
  slots: Int32Array,
  count: Count | undefined,
): boolean {
  const { steps } = program
  const seen = new Uint8Array((steps.length * (text.length - from + 1) + 7) >> 3)
  // Pairs to return to: a step and its position, or a slot, as a negative number, and its previous value.
  const choices: number[] = []
  let at = start
  let index = from
  for (;;) {
    let isAlive = !isSeen()
    const step = steps[at]!
    if (isAlive) {
      if (count !== undefined) count.steps++
      switch (step.kind) {
        case 'character':
          isAlive = index < text.length && step.set(text.charCodeAt(index))
          index++
          break
        case 'split':
          choices.push(step.other, index)
          break
        case 'save':
          set(step.slot, index)
          break
        case 'clear':
          for (let slot = step.from; slot <= step.to; slot++) set(slot, -1)
          break
        case 'progress':
          isAlive = slots[step.slot] !== index
          break
        case 'assertion':
          isAlive = holds(step.source, text, index)
          break
        case 'ahead':
          isAlive = text.startsWith(step.text, index) !== step.negative
          break
        case 'lookahead': {
          const inner = slots.slice()
          isAlive = search(program, step.start, text, index, inner, count) !== step.negative
          if (isAlive && !step.negative) inner.forEach((value, slot) => set(slot, value))
          break
        }
        case 'match':
          return true
      }
    }
    if (isAlive && step.kind !== 'match') {
      at = step.next
      continue
    }
    for (;;) {
      if (choices.length === 0) return false
      index = choices.pop()!
      at = choices.pop()!
      if (at >= 0) break
      slots[-1 - at] = index
    }
  }

  function isSeen(): boolean {
    const key = at * (text.length - from + 1) + index - from
    const bit = 1 << (key & 7)
    if ((seen[key >> 3]! & bit) !== 0) return true
    seen[key >> 3]! |= bit
    return false
  }

  function set(slot: number, value: number): void {
    if (slots[slot] === value) return
    choices.push(-1 - slot, slots[slot]!)
    slots[slot] = value
  }
}

function holds(assertion: string, text: string, index: number): boolean {
  if (assertion === '^') return index === 0
  if (assertion === '$') return index === text.length
  return (isWord(text, index - 1) !== isWord(text, index)) === (assertion === '\\b')
}

function isWord(text: string, index: number): boolean {
  return index >= 0 && index < text.length && /\w/.test(text.charAt(index))
}
