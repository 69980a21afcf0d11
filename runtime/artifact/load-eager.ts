/** Opens an artifact that stands in a single file, for platforms without a file system and for bundlers. */
import type { Artifact, Digest } from './index.ts'
import { createMade, type Maker } from './made.ts'
import type { Rehearsals } from './rehearsal.ts'
import { createDigestCheck } from './route-digest.ts'

/** What `worker.mjs` of an artifact says of itself: every function is in the same file. */
export interface EagerArtifact {
  readonly format: number
  readonly version: string
  /** The digests of `functions`, joined by spaces, in the same order. */
  readonly digests: string
  readonly functions: readonly Maker[]
  /**
   * The routes that have all of their functions: `;`, what `routeDigest` gives for the route, `:`, and the positions of
   * its functions in `digests`, separated by spaces; `;` at the end.
   */
  readonly routes: string
  /** `plainDigest` to digest, of functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
  /** As in `Catalogue`. */
  readonly rehearsals?: Rehearsals
}

export function openEagerArtifact(eager: EagerArtifact): Artifact {
  const digests = eager.digests.split(' ')
  const makers = new Map(digests.map((digest, i) => [digest, eager.functions[i]]))
  const made = createMade()
  return {
    format: eager.format,
    version: eager.version,
    digestAt: (position) => digests[position] as Digest,
    routes: createDigestCheck(eager.routes, digests),
    has: (digest) => makers.has(digest),
    ofPlain: (digest) => (makers.has(digest) ? digest : eager.plain[digest]),
    load: (digest, take) => made.get(digest, take, (one) => makers.get(one) as Maker),
    open: () => undefined,
    verify: () => undefined,
    rehearsals: () => eager.rehearsals,
    locate: () => undefined,
    leftOut: () => undefined,
    origin: () => undefined,
    shared: () => undefined,
  }
}
