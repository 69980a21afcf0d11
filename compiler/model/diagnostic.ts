/** A place in the user's source. `line` and `column` count from 1. */
export interface SourceLocation {
  /** Relative to the root, with forward slashes. */
  readonly file: string
  /** 0 for what is no place in a text. */
  readonly line: number
  readonly column: number
  /** Number of characters that the code frame underlines; at least 1. */
  readonly length?: number
  /** The call that needs what stands here, when it stands elsewhere. */
  readonly neededBy?: CallLocation
}

/** Where a call stands: from its first to its last line. */
export interface CallLocation {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
}

/** One problem in the user's input. `code` is stable and public; `message` ends with the next step. */
export interface Diagnostic {
  readonly code: string
  readonly message: string
  readonly at: SourceLocation
  /** The artifact is right all the same: it does not fail the build. */
  readonly isWarning?: true
}

/** Collects a problem; phases report and go on, so that one build lists them all. */
export type Report = (diagnostic: Diagnostic) => void
