/**
 * Frames of messages on the pipe between the sandbox and its supervisor: the length, then the content. A message of the
 * length of a word is a position; all others are values that `node:v8` has serialized, which are longer.
 */
export const wordSize = 4

/** The file descriptor of the pipe in the sandbox. */
export const pipe = 3

/** A greater length means that something else was written to the pipe. */
const maxLength = 2 ** 30

export function wordOf(number: number): Uint8Array {
  const word = new Uint8Array(wordSize)
  new DataView(word.buffer).setUint32(0, number, true)
  return word
}

export function numberIn(word: Uint8Array): number {
  return new DataView(word.buffer, word.byteOffset).getUint32(0, true)
}

/** Joins chunks to messages. @param refuse called if something isn't a message */
export function messageReader(
  take: (content: Uint8Array) => void,
  refuse: () => void,
): (chunk: Uint8Array) => void {
  let chunks: Uint8Array[] = []
  let size = 0
  return (chunk) => {
    chunks.push(chunk)
    size += chunk.byteLength
    while (size >= wordSize) {
      // A long message comes in many chunks: join them once, when all of it is there.
      if ((chunks[0] as Uint8Array).byteLength < wordSize) chunks = [Buffer.concat(chunks)]
      const length = numberIn(chunks[0] as Uint8Array)
      if (length > maxLength) return refuse()
      const end = wordSize + length
      if (size < end) return
      const all = Buffer.concat(chunks)
      chunks = [all.subarray(end)]
      size -= end
      take(new Uint8Array(all.subarray(wordSize, end)))
    }
  }
}
