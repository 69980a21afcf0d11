import type { Rehearsal } from '../../../runtime/artifact/rehearsal.ts'

/** A function of which cannot be written down what it does. */
export type Unwatched = Pick<Rehearsal, 'option' | 'keyword' | 'member'> & {
  readonly reason: string
}

/** Functions stop, or do something else, because they are watched. */
export class UnwatchedError extends Error {
  override readonly name = 'UnwatchedError'
  readonly found: readonly Unwatched[]

  constructor(functions: readonly Omit<Unwatched, 'reason'>[], cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(reason, { cause })
    this.found = functions.map(({ option, keyword, member }) => ({
      option,
      keyword,
      member,
      reason,
    }))
  }
}
