/** The ways to what differs, joined by spaces. */
export function* differing(
  one: unknown,
  other: unknown,
  way: readonly string[] = [],
): Iterable<string> {
  const isInner = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null
  if (!isInner(one) || !isInner(other)) {
    if (one !== other) yield way.join(' ')
    return
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    yield* differing(one[key], other[key], [...way, key])
  }
}
