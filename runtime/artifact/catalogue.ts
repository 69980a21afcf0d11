import type { Digest } from './index.ts'
import type { SettingsTable } from './settings.ts'

/** What an artifact holds. A file of its own, so that what each process reads first is short. */
export interface Catalogue {
  /** Of all functions, joined by spaces, in the order in which the chunks export them. */
  readonly digests: string
  /** How many functions each chunk has. */
  readonly counts: readonly number[]
  /** `plainDigest` to digest, of functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
  readonly settings: SettingsTable
  /**
   * The routes that have all of their functions: `;`, the checksum of their text, where it starts, and the positions of
   * their functions in `digests`, separated by spaces; `;` at the end. As text, because a process that serves one route
   * looks for one.
   */
  readonly routes: string
}

/** All digests are of one length, and a space stands between them. */
const STEP = 23

export function digestAt({ digests }: Catalogue, nth: number): Digest {
  return digests.slice(nth * STEP, (nth + 1) * STEP - 1)
}

/** The position of a function; not an integer for what is none. */
export function positionOf({ digests }: Catalogue, digest: Digest): number {
  return digests.indexOf(digest) / STEP
}
