/** Choices, read from a list of numbers. Where it ends, each choice is the first: a shorter list is a simpler application. */
export class Tape {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#numbers.length
  }

  /** A number from 0 to `count - 1`. */
  below(count: number): number {
    return (this.#numbers[this.#next++] ?? 0) % count
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** True in that many of sixteen cases, and never at the end. */
  chance(sixteenths: number): boolean {
    return this.below(16) >= 16 - sixteenths
  }

  /** Some of the list, in its order. */
  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.chance(6))
  }
}
