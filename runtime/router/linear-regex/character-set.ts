/** Returns whether a set of characters, such as `[a-z]`, contains a character. */
export type CharacterSet = (code: number) => boolean

const known = new Map<string, CharacterSet>()

/** Creates the set for a character, an escape or a class of an expression, by testing each character with `RegExp`. */
export function characterSet(source: string): CharacterSet {
  let set = known.get(source)
  if (set === undefined) {
    const regex = new RegExp(`^${source}$`)
    const takes = (code: number): boolean => regex.test(String.fromCharCode(code))
    // The first characters are looked up, which is faster.
    const table = Array.from({ length: 256 }, (_, code) => takes(code))
    set = (code) => table[code] ?? takes(code)
    known.set(source, set)
  }
  return set
}
