import type { ReplayChecks } from './replay.ts'

/** The contents of an artifact. Only what every process needs first. */
export interface Catalogue {
  /** All digests, joined by spaces, in the order in which chunks export their functions. */
  readonly digests: string
  /** Number of functions per chunk. */
  readonly counts: readonly number[]
  /**
   * Routes with all of their functions: `;`, the result of `routeDigest`, `:`, and the positions of the functions in `digests`, separated
   * by spaces; `;` at the end. A text rather than a list, because engines parse it faster.
   */
  readonly routes: string
  /** The recorded behaviour of the application's functions during the build, if there are any; by options. */
  readonly replayChecks?: readonly ReplayChecks[]
}
