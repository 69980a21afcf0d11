/** Opens an artifact that is a single module, for platforms without a file system and for bundlers. */
import type { Artifact, Libraries } from './index.ts'
import type { FastifyLine } from './lines.ts'
import { functionsOf, type Catalogue, type Maker } from './functions/index.ts'

/** Contents of an artifact's `worker.mjs`. */
export interface EagerArtifact extends Omit<Catalogue, 'counts'> {
  readonly format: number
  readonly version: string
  readonly line?: FastifyLine
  readonly libraries?: Libraries
  /** The makers, or a function that returns the maker at a position if they are loaded on demand. */
  readonly functions: readonly Maker[] | ((position: number) => Maker)
}

export function openEagerArtifact(eager: EagerArtifact): Artifact {
  const { functions } = eager
  return {
    format: eager.format,
    version: eager.version,
    line: eager.line ?? 'framework',
    libraries: eager.libraries,
    ...functionsOf(
      () => eager,
      typeof functions === 'function' ? functions : (position) => functions[position] as Maker,
    ),
    open: () => undefined,
    verify: () => undefined,
    locate: () => undefined,
    leftOut: () => undefined,
    origin: () => undefined,
    whyMissing: () => undefined,
    outdated: () => undefined,
  }
}
