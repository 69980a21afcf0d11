/** The names that differ from `name` by a slip of the pen, the nearest first; three at most. */
export function closest(name: string, names: readonly string[]): readonly string[] {
  const limit = Math.max(1, Math.floor(name.length / 3))
  return names
    .map((candidate) => ({
      candidate,
      edits: distance(name.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Levenshtein distance: insertions, deletions and replacements that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
