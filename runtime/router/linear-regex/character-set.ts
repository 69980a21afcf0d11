/** A set of characters, such as `[a-z]`. */
export interface CharacterSet {
  has(code: number): boolean
  /** By code, below 256. The last entry stands for all other characters: it's 0 if none of them is in the set. */
  readonly table: Uint8Array
}

const TABLE_SIZE = 257
const OTHERS = 256

const known = new Map<string, CharacterSet>()

/** Creates the set for a character, an escape or a class of an expression, by testing each character with `RegExp`. */
export function characterSet(source: string): CharacterSet {
  let set = known.get(source)
  if (set === undefined) {
    const regex = new RegExp(`^${source}$`)
    const table = new Uint8Array(TABLE_SIZE)
    const takes = (code: number): boolean => regex.test(String.fromCharCode(code))
    for (let code = 0; code < OTHERS; code++) table[code] = Number(takes(code))
    table[OTHERS] = Number(!isNarrow(source))
    set = { table, has: (code) => (code < OTHERS ? table[code] === 1 : takes(code)) }
    known.set(source, set)
  }
  return set
}

/** Returns whether two sets certainly have no common character. */
export function areDisjoint(a: CharacterSet, b: CharacterSet): boolean {
  return a.table.every((isIn, i) => isIn === 0 || b.table[i] === 0)
}

/** Returns whether a set certainly has only characters below 256: a literal, digits, letters, or a class of them. */
function isNarrow(source: string): boolean {
  return (
    /^(?:[\0-\x7f]|\\[dw\W_]|\[(?!\^)(?:\\[dw\W_]|[^\\\x80-\uffff])*\])$/.test(source) &&
    source !== '.'
  )
}
