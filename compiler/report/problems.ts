import type { Diagnostic, OnDiagnostic } from '../model/index.ts'
import { byCauseAndPlace } from './order.ts'

/** Collects the errors and warnings of one build, without duplicates. */
export class Problems {
  readonly #errors = new Map<string, Diagnostic>()
  readonly #warnings = new Map<string, Diagnostic>()

  readonly report: OnDiagnostic = (problem) =>
    void (problem.isWarning ? this.#warnings : this.#errors).set(keyOf(problem), problem)

  get size(): number {
    return this.#errors.size
  }

  /** Root causes first, then by place. */
  errors(): readonly Diagnostic[] {
    return [...this.#errors.values()].sort(byCauseAndPlace)
  }

  /** Root causes first, then by place, without those that are errors as well. */
  warnings(): readonly Diagnostic[] {
    return [...this.#warnings]
      .filter(([key]) => !this.#errors.has(key))
      .map(([, warning]) => warning)
      .sort(byCauseAndPlace)
  }

  /** Errors and warnings. */
  all(): readonly Diagnostic[] {
    return [...this.errors(), ...this.warnings()]
  }

  replaceAll(problems: Iterable<Diagnostic>): void {
    this.#warnings.clear()
    this.replaceErrors(problems)
  }

  replaceErrors(errors: Iterable<Diagnostic>): void {
    this.#errors.clear()
    for (const error of errors) this.report(error)
  }
}

/** Key for removing duplicate problems. */
export function keyOf({ at, code, message }: Diagnostic): string {
  return `${at.file}:${at.line}:${at.column}:${code}:${message}`
}
