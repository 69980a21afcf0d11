/** Characters with a special meaning for the router. */
const SPECIAL = /::|[%?;#]|^[^/]/

/**
 * The paths of all HEAD routes, to find out quickly that none of them matches a path. Looking up each path in the router would build its
 * tree during the start.
 */
export class HeadPaths {
  readonly #paths = new Set<string>()
  /** The static text before the first parameter. */
  readonly #prefixes = new Set<string>()
  readonly #prefixLengths: number[] = []
  #hasSpecial: boolean

  /** @param isLoose whether the router ignores case or slashes */
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

  /** Returns false if certainly no HEAD route matches the path. */
  mayAnswer(path: string): boolean {
    if (this.#hasSpecial || this.#paths.has(path) || SPECIAL.test(path)) return true
    return this.#prefixLengths.some((length) => this.#prefixes.has(path.slice(0, length)))
  }
}
