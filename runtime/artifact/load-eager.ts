/** Opens an artifact that is a single module, for platforms without a file system and for bundlers. */
import type { Artifact, Digest } from './index.ts'
import type { FastifyLine } from './lines.ts'
import { digestAt, positionOf } from './catalogue.ts'
import { createMade, type Maker } from './functions/made.ts'
import type { ReplayChecks } from './replay.ts'
import { createDigestCheck } from './route-digest.ts'

/** Contents of an artifact's `worker.mjs`. */
export interface EagerArtifact {
  readonly format: number
  readonly version: string
  readonly line?: FastifyLine
  /** Digests of `functions`, joined by spaces, in the same order. */
  readonly digests: string
  /** The makers, or a function that returns the maker at a position if they are loaded on demand. */
  readonly functions: readonly Maker[] | ((position: number) => Maker)
  /**
   * Routes with all of their functions: `;`, the result of `routeDigest`, `:`, and the positions of the
   * functions in `digests`, separated by spaces; `;` at the end.
   */
  readonly routes: string
  /** Maps `plainDigest` to the digest, for functions whose schema has annotations. */
  readonly plain: Readonly<Record<Digest, Digest>>
  /** As in `Catalogue`. */
  readonly replayChecks?: ReplayChecks
}

export function openEagerArtifact(eager: EagerArtifact): Artifact {
  const { functions } = eager
  /** Made on first use: lazy schemas know the positions of their functions. */
  let positions: Map<Digest, number> | undefined
  const has = (digest: Digest): boolean => {
    positions ??= new Map(eager.digests.split(' ').map((one, i) => [one, i]))
    return positions.has(digest)
  }
  const makerOf = (digest: Digest): Maker => {
    const position = positions?.get(digest) ?? positionOf(eager, digest)
    return typeof functions === 'function' ? functions(position) : (functions[position] as Maker)
  }
  const made = createMade()
  return {
    format: eager.format,
    version: eager.version,
    line: eager.line ?? 'framework',
    digestAt: (position) => digestAt(eager, position),
    routes: createDigestCheck(eager.routes, (position) => digestAt(eager, position)),
    has,
    ofPlain: (digest) => (has(digest) ? digest : eager.plain[digest]),
    load: (digest, take) => made.get(digest, take, makerOf),
    open: () => undefined,
    verify: () => undefined,
    replayChecks: () => eager.replayChecks,
    locate: () => undefined,
    leftOut: () => undefined,
    origin: () => undefined,
    shared: () => undefined,
  }
}
