import type { KeptFile, SourceLocation } from '../../model/index.ts'
import { readLiteral } from './literal.ts'
import type { WrittenLiteral } from './literal.ts'
import { Lines } from './lines.ts'
import { NotKept } from './not-kept.ts'

/** A file in which literals may be written in another way now; all else in it is as it was. */
export interface Edit {
  readonly before: KeptFile
  readonly text: string
  /** As those of `before`, in the text as it is now. */
  readonly literals: KeptFile['literals']
  /** Literals that are others, by their number in the file. */
  readonly written: ReadonlyMap<number, WrittenLiteral>
  readonly names: KeptFile['names']
  /** Where something stands now. */
  relocate(place: SourceLocation): SourceLocation
}

/** `undefined` when more than values of literals is another. */
export function editOf(before: KeptFile, text: string): Edit | undefined {
  const literals = alignedWith(before, text)
  if (literals === undefined) return undefined
  const names = new Map(before.names)
  const count = (name: string, more: number): void => {
    const now = (names.get(name) ?? 0) + more
    if (now === 0) names.delete(name)
    else names.set(name, now)
  }
  const written = new Map<number, WrittenLiteral>()
  for (const [i, range] of before.literals.entries()) {
    const [old, now] = [before.text.slice(...range), text.slice(...(literals[i] as Range))]
    if (old === now) continue
    const [was, is] = [readLiteral(before.file, old), readLiteral(before.file, now)]
    if (was === undefined || is === undefined) return undefined
    for (const [name, times] of was.names) count(name, -times)
    for (const [name, times] of is.names) count(name, times)
    written.set(i, is)
  }
  if (before.asked.some((name) => names.has(name) !== before.names.has(name))) return undefined
  const changed = [...written.keys()].map((i) => before.literals[i] as Range)
  const now = [...written.keys()].map((i) => literals[i] as Range)
  const relocate = createRelocate([before.text, changed], [text, now])
  return { before, text, literals, written, names, relocate }
}

type Range = readonly [start: number, end: number]

/** Where the literals stand now; `undefined` when the text between them is another. */
function alignedWith({ file, text: old, literals }: KeptFile, now: string): Range[] | undefined {
  if (old === now) return [...literals]
  const [start, end] = changedRange(old, now)
  const holderOf = (at: number): number => literals.findIndex((one) => one[0] < at && at < one[1])
  const [first, last] = [holderOf(start), holderOf(end)]
  if (first === -1 || last === -1) return undefined
  const aligned = literals.slice(0, first)
  let at = (literals[first] as Range)[0]
  for (let i = first; i < last; i++) {
    const [one, next] = [literals[i] as Range, literals[i + 1] as Range]
    const gap = old.slice(one[1], next[0])
    const stop = endOfLiteral(file, old.slice(...one), now, at, `${gap}{`)
    if (stop === undefined) return undefined
    aligned.push([at, stop])
    at = stop + gap.length
  }
  // From the end of the last one on nothing has changed.
  const by = now.length - old.length
  const [, stop] = literals[last] as Range
  if (at >= stop + by) return undefined
  aligned.push([at, stop + by])
  for (const [low, high] of literals.slice(last + 1)) aligned.push([low + by, high + by])
  return aligned
}

/** So many places where a literal might end are tried. */
const MOST_ENDS = 100

/**
 * @param old what stood there
 * @param start where it starts in `text`
 * @param after what follows
 */
function endOfLiteral(
  file: string,
  old: string,
  text: string,
  start: number,
  after: string,
): number | undefined {
  if (text.startsWith(old + after, start)) return start + old.length
  let end = start + 1
  for (let tries = 0; tries < MOST_ENDS; tries++, end++) {
    end = text.indexOf(`}${after}`, end)
    if (end === -1) return undefined
    // What is balanced once is not balanced again, a brace later.
    if (readLiteral(file, text.slice(start, end + 1)) !== undefined) return end + 1
  }
  return undefined
}

/** From where to where in the old text it is another one. */
function changedRange(before: string, after: string): Range {
  const most = Math.min(before.length, after.length)
  const start = countSame(most, (from, to) => before.slice(from, to) === after.slice(from, to))
  const rest = countSame(most - start, (from, to) => {
    const [a, b] = [before.length - to, after.length - to]
    return before.slice(a, a + to - from) === after.slice(b, b + to - from)
  })
  return [start, before.length - rest]
}

/** How many are the same from the beginning on: whole texts are compared much faster than characters. */
function countSame(most: number, isSame: (from: number, to: number) => boolean): number {
  let count = 0
  for (let step = 1 << 16; step > 0; step >>= 1) {
    while (count + step <= most && isSame(count, count + step)) count += step
  }
  return count
}

/** A text, and where in it literals stand of which the other one has others. In their order. */
type Side = readonly [text: string, ranges: readonly Range[]]

function createRelocate([before, olds]: Side, [after, news]: Side): Edit['relocate'] {
  if (olds.length === 0) return (place) => place
  const [old, now] = [new Lines(before), new Lines(after)]
  return (place) => {
    if (place.line < 1) return place
    const from = old.offsetOf(place)
    const passed = olds.filter(([, end]) => end <= from).length
    const next = olds[passed]
    if (next !== undefined && next[0] < from) throw new NotKept()
    const newFrom = from + movedBy(passed)
    const at = { ...place, ...now.positionOf(newFrom) }
    const { length } = place
    if (length === undefined) return at
    const to = from + length
    const reached = olds.filter(([start]) => start < to).length
    if (reached === passed) return at
    // It ends behind the last literal, or where the line does in which it starts.
    const [, end] = olds[reached - 1] as Range
    if (to >= end) {
      const newLength = length + movedBy(reached) - movedBy(passed)
      return { ...at, length: now.lengthOnLine(newFrom, newLength) }
    }
    const [, newEnd] = news[reached - 1] as Range
    const newLength = now.lengthOnLine(newFrom, Infinity)
    if (newFrom + newLength >= newEnd) throw new NotKept()
    return { ...at, length: newLength }
  }

  /** How far what follows so many of them is moved. */
  function movedBy(count: number): number {
    if (count === 0) return 0
    return (news[count - 1] as Range)[1] - (olds[count - 1] as Range)[1]
  }
}
