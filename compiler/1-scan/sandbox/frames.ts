/**
 * How messages lie on the pipe between the process that runs slices and the thread that looks after it: the length, then
 * the content. What the process says in as many bytes as a length has is the position of what it goes on with; everything
 * else is a value as `node:v8` writes it, which takes more.
 */
export const wordSize = 4

/** The descriptor of the pipe in the process. */
export const pipe = 3

/** No message is longer: what says so is none. */
const maxLength = 2 ** 30

/** A length or a position. */
export function wordOf(number: number): Uint8Array {
  const word = new Uint8Array(wordSize)
  new DataView(word.buffer).setUint32(0, number, true)
  return word
}

export function numberIn(word: Uint8Array): number {
  return new DataView(word.buffer, word.byteOffset).getUint32(0, true)
}

/**
 * Puts messages together that come in pieces; `take` gets the content of each, and `refuse` is called when something comes
 * that is none.
 */
export function messageReader(
  take: (content: Uint8Array) => void,
  refuse: () => void,
): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = []
  let size = 0
  return (piece) => {
    pieces.push(piece)
    size += piece.byteLength
    while (size >= wordSize) {
      // A long message comes in many pieces: they are joined once, when all of it is there.
      if ((pieces[0] as Uint8Array).byteLength < wordSize) pieces = [Buffer.concat(pieces)]
      const length = numberIn(pieces[0] as Uint8Array)
      if (length > maxLength) return refuse()
      const end = wordSize + length
      if (size < end) return
      const all = Buffer.concat(pieces)
      pieces = [all.subarray(end)]
      size -= end
      take(new Uint8Array(all.subarray(wordSize, end)))
    }
  }
}
