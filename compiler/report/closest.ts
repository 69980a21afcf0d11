/** Returns at most three names that are close enough to `name` to be meant, nearest first. */
export function closest(name: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const near = names
    .map((candidate) => ({
      candidate,
      edits: distance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
  const [{ edits: least } = { edits: 0 }] = near
  return near
    .filter(({ edits }) => edits <= least + 1)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Counts insertions, deletions, replacements and transpositions (optimal string alignment distance). */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchanged = isExchanged ? (before[j - 2] as number) + 1 : Infinity
      next.push(Math.min(replaced, exchanged, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] as number
}
