/** The only differences from Fastify 4.21 that are allowed. An entry that no longer differs fails the test. */

export interface KnownDifference {
  readonly app: string
  /** Why it differs, and why that is right. */
  readonly reason: string
  /** The exact titles of the requests that it shows in. */
  readonly requests: readonly string[]
}

export const knownDifferences: readonly KnownDifference[] = []
