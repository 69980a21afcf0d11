/** The characters that one part of an expression takes. */
export interface CharacterSet {
  has(code: number): boolean
  /** By code, for those below 256; the last one stands for all others and is set when any of them may be in it. */
  readonly table: Uint8Array
}

const TABLE_SIZE = 257
const OTHERS = 256

const known = new Map<string, CharacterSet>()

/** The set of a character, an escape or a class as it is written in an expression; the engine itself is asked. */
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

/** Whether two sets surely have no character in common. */
export function areDisjoint(a: CharacterSet, b: CharacterSet): boolean {
  return a.table.every((isIn, i) => isIn === 0 || b.table[i] === 0)
}

/** Whether a set surely has nothing but characters below 256: one that is written out, digits, letters, or a class of such. */
function isNarrow(source: string): boolean {
  return (
    /^(?:[\0-\x7f]|\\[dw\W_]|\[(?!\^)(?:\\[dw\W_]|[^\\\x80-\uffff])*\])$/.test(source) &&
    source !== '.'
  )
}
