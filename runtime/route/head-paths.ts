/** What the router reads as something else than the characters themselves. */
const SPECIAL = /::|[%?;#]|^[^/]/

/**
 * The paths of the HEAD routes, to tell quickly that none of them answers for a path. Most GET routes are the
 * first of their path, and asking the router makes it sort its tree once for each of them.
 */
export class HeadPaths {
  readonly #paths = new Set<string>()
  /** What stands before the first parameter. */
  readonly #prefixes = new Set<string>()
  readonly #prefixLengths: number[] = []
  #hasSpecial: boolean

  /** @param isLoose the router takes different spellings for the same path */
  constructor(isLoose: boolean) {
    this.#hasSpecial = isLoose
  }

  add(path: string): void {
    if (SPECIAL.test(path)) this.#hasSpecial = true
    const length = path.search(/[:*]/)
    if (length === -1) {
      this.#paths.add(path)
      return
    }
    this.#prefixes.add(path.slice(0, length))
    if (!this.#prefixLengths.includes(length)) this.#prefixLengths.push(length)
  }

  /** False only when no HEAD route can answer a request for exactly that text. */
  mayAnswer(path: string): boolean {
    if (this.#hasSpecial || this.#paths.has(path) || SPECIAL.test(path)) return true
    return this.#prefixLengths.some((length) => this.#prefixes.has(path.slice(0, length)))
  }
}
