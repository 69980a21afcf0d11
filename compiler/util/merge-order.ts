/** Merges several lists of names, keeping the order of every list where they agree. */
export function mergeOrder<T>(lists: readonly (readonly T[])[]): T[] {
  const merged: T[] = []
  const seen = new Set<T>()
  for (const list of lists) {
    let position = 0
    for (const name of list) {
      if (seen.has(name)) {
        position = merged.indexOf(name) + 1
        continue
      }
      seen.add(name)
      merged.splice(position++, 0, name)
    }
  }
  return merged
}
