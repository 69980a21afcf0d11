import type { KeptFile, SourceLocation } from '../../model.ts'
import { readLiteral } from './literal.ts'
import type { WrittenLiteral } from './literal.ts'
import { Lines } from './lines.ts'
import { NotKept } from './not-kept.ts'

/** One literal of a file that is written in another way now; all else in the file is as it was. */
export interface Edit {
  readonly before: KeptFile
  readonly after: KeptFile
  /** Which literal of the file. */
  readonly index: number
  readonly written: WrittenLiteral
  /** Where something stands now. */
  relocate(place: SourceLocation): SourceLocation
}

/** `undefined` when more than the value of a literal is another. */
export function editOf(before: KeptFile, text: string): Edit | undefined {
  const [start, end] = changedRange(before.text, text)
  const index = before.literals.findIndex((one) => one[0] < start && end < one[1])
  const literal = before.literals[index]
  if (literal === undefined) return undefined
  const by = text.length - before.text.length
  const old = readLiteral(before.file, before.text.slice(...literal))
  const written = readLiteral(before.file, text.slice(literal[0], literal[1] + by))
  if (old === undefined || written === undefined) return undefined
  const names = new Map(before.names)
  const count = (name: string, more: number): void => {
    const now = (names.get(name) ?? 0) + more
    if (now === 0) names.delete(name)
    else names.set(name, now)
  }
  for (const [name, times] of old.names) count(name, -times)
  for (const [name, times] of written.names) count(name, times)
  if (before.asked.some((name) => names.has(name) !== before.names.has(name))) return undefined
  const literals = before.literals.map(([from, to], i): [number, number] =>
    i < index ? [from, to] : [i === index ? from : from + by, to + by],
  )
  const after: KeptFile = { ...before, text, names, literals }
  return { before, after, index, written, relocate: createRelocate(before.text, text, literal) }
}

/** From where to where in the old text it is another one. */
function changedRange(before: string, after: string): readonly [start: number, end: number] {
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

function createRelocate(
  before: string,
  after: string,
  [start, end]: readonly [number, number],
): Edit['relocate'] {
  const [old, now] = [new Lines(before), new Lines(after)]
  const by = after.length - before.length
  return (place) => {
    if (place.line < 1) return place
    const from = old.offsetOf(place)
    if (from > start && from < end) throw new NotKept()
    const newFrom = from <= start ? from : from + by
    const at = { ...place, ...now.positionOf(newFrom) }
    const { length } = place
    if (length === undefined || from >= end || from + length <= start) return at
    // It ends behind the literal, or where the line does in which it starts.
    if (from + length >= end) return { ...at, length: now.lengthOnLine(newFrom, length + by) }
    const newLength = now.lengthOnLine(newFrom, Infinity)
    if (newFrom + newLength >= end + by) throw new NotKept()
    return { ...at, length: newLength }
  }
}
