/** All names of several lists, once each, in an order that keeps that of every list where they agree. */
export function mergeOrder<T>(lists: readonly (readonly T[])[]): T[] {
  const merged: T[] = []
  const known = new Set<T>()
  for (const list of lists) {
    let position = 0
    for (const name of list) {
      if (known.has(name)) {
        position = merged.indexOf(name) + 1
        continue
      }
      known.add(name)
      merged.splice(position++, 0, name)
    }
  }
  return merged
}
