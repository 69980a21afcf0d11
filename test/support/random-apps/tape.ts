/** Choices, read from a list of numbers. After its end, each choice is the first one, so shorter lists give simpler applications. */
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

  /** True in so many sixteenths of cases, and never after the end. */
  chance(sixteenths: number): boolean {
    return this.below(16) >= 16 - sixteenths
  }

  /** Some of the list, in its order. */
  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.chance(6))
  }
}
