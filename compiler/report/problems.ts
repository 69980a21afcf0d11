import type { Diagnostic, Report } from '../model/index.ts'
import { keyOf } from './dynamic.ts'
import { byPlace } from './order.ts'

/** Collects the errors and warnings of one build, without duplicates. */
export class Problems {
  readonly #errors = new Map<string, Diagnostic>()
  readonly #warnings = new Map<string, Diagnostic>()

  readonly report: Report = (problem) =>
    void (problem.isWarning ? this.#warnings : this.#errors).set(keyOf(problem), problem)

  get size(): number {
    return this.#errors.size
  }

  /** Root causes first, then by place. */
  errors(): readonly Diagnostic[] {
    return [...this.#errors.values()].sort(byPlace)
  }

  /** By place, without those that are errors as well. */
  warnings(): readonly Diagnostic[] {
    return [...this.#warnings]
      .filter(([key]) => !this.#errors.has(key))
      .map(([, warning]) => warning)
      .sort(byPlace)
  }

  replaceErrors(errors: Iterable<Diagnostic>): void {
    this.#errors.clear()
    for (const error of errors) this.report(error)
  }
}
