import type { Diagnostic, SourceLocation } from '../model/index.ts'
import { displayPath } from '../util/paths.ts'

/** Keeps an application from being deployed. */
export class DeployError extends Error {
  readonly problems: readonly Diagnostic[]

  constructor(...problems: readonly Diagnostic[]) {
    super(problems[0]?.message)
    this.problems = problems
  }
}

export function wholeFile(file: string, root: string): SourceLocation {
  return { file: displayPath(file, root), line: 0, column: 0 }
}
