import type { SourceLocation } from '../../model/index.ts'

/** Where lines of a text start, as TypeScript counts them. */
export class Lines {
  readonly text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.text = text
    if (/[\r\u2028\u2029]/.test(text)) {
      for (const { index, 0: ending } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
        this.#starts.push(index + ending.length)
      }
    } else {
      // A tenth of the time, and how most files are written.
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
        this.#starts.push(at + 1)
      }
    }
  }

  offsetOf({ line, column }: SourceLocation): number {
    return (this.#starts[line - 1] ?? Infinity) + column - 1
  }

  positionOf(offset: number): Pick<SourceLocation, 'line' | 'column'> {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 }
  }

  /** Places underline one line. */
  lengthOnLine(start: number, length: number): number {
    const end = this.text.indexOf('\n', start)
    return end === -1 ? length : Math.min(length, Math.max(1, end - start))
  }
}
