/** A place in the user's source. `line` and `column` count from 1. */
export interface SourceLocation {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  /** 0 if the problem is about a whole file or folder. */
  readonly line: number
  readonly column: number
  /** Number of characters that the code frame underlines; at least 1. */
  readonly length?: number
  /** The call that needs the value, if that is elsewhere. */
  readonly neededBy?: CallLocation
}

/** The place of a call, from its first to its last line. */
export interface CallLocation {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
}

/** One problem in the user's input. `code` is stable and public; `message` says what is wrong and what to do next. */
export interface Diagnostic {
  readonly code: string
  readonly message: string
  readonly at: SourceLocation
  /** Warnings don't fail the build. */
  readonly isWarning?: true
}

/** Collects a problem, once however often it is reported. Phases report and continue, so that one build lists all problems. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void
