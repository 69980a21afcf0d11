/** Makes answers comparable that differ by their nature, as narrowly as their requests say. */
import type { Variation } from '../support/request.ts'

/** One place of an answer: a header by its name in lower case, or `body`. */
export interface Place {
  readonly name: string
  readonly text: string
}

/** The texts with each varying value replaced by `<name 1>`, `<name 2>`, …; and which variations were not there. */
export function withoutVariations(
  places: readonly Place[],
  variations: readonly Variation[],
): { readonly texts: readonly string[]; readonly missing: readonly string[] } {
  const texts = places.map(({ text }) => text)
  const missing: string[] = []
  for (const { name, in: where, pattern } of variations) {
    const known = new Map<string, string>()
    const replace = (value: string): string => {
      const replacement = known.get(value) ?? `<${name} ${known.size + 1}>`
      known.set(value, replacement)
      return replacement
    }
    for (const wanted of where) {
      let found = false
      for (const [index, place] of places.entries()) {
        if (place.name !== wanted) continue
        const text = texts[index]!
        texts[index] = text.replace(pattern, replace)
        found ||= texts[index] !== text
      }
      if (!found) missing.push(`there is no ${name} in ${wanted}`)
    }
  }
  return { texts, missing }
}
