/** Opens an artifact that is a single module, for platforms without a file system and for bundlers. */
import type { Artifact, AttachParser, Libraries } from './index.ts'
import type { FastifyLine } from './lines.ts'
import { functionsOf, type Catalogue, type Maker } from './functions/index.ts'
import type { firstChange } from './replay/first-change.ts'

/** Contents of an artifact's `worker.mjs`. */
export interface EagerArtifact extends Omit<Catalogue, 'counts'> {
  readonly format: number
  readonly version: string
  readonly line?: FastifyLine
  readonly libraries?: Libraries
  /** Given if there are libraries. Passed in like `firstChange`, so that bundles of other artifacts lack its code. */
  readonly attachParser?: AttachParser
  /** Given if there are replay checks. */
  readonly firstChange?: typeof firstChange
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
    attachParser: eager.attachParser,
    ...functionsOf(
      () => eager,
      typeof functions === 'function' ? functions : (position) => functions[position] as Maker,
      eager.firstChange,
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
