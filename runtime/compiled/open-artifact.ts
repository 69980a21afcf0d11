import type { Artifact } from '../artifact/index.ts'
import type { ArtifactIndex } from '../artifact/load.ts'
import { openChunks } from '../artifact/load.ts'
import { registeredIndexes } from '../artifact/registry.ts'
import * as generated from '../generated/index.ts'
import { mayBeNode } from '../platform/index.ts'
import { attachParser } from './zod-parsers.ts'

const opened = new WeakMap<ArtifactIndex, Artifact>()

/** Opens the artifact of an index without reading files. */
export function openArtifact(index: ArtifactIndex): Artifact {
  let artifact = opened.get(index)
  if (artifact === undefined) {
    artifact = {
      ...openChunks(index, generated),
      attachParser: index.libraries && attachParser,
    }
    opened.set(index, artifact)
  }
  return artifact
}

const bundled: Artifact[] = []
let bundleCommand: string | undefined

/**
 * Registers the artifact of the bundle that contains the application.
 *
 * @param command the command that writes the bundle
 */
export function provideArtifact(artifact: Artifact, command: string): void {
  bundled.push(artifact)
  bundleCommand = command
}

/** Returns the command that writes the bundle; undefined if the application isn't bundled. */
export function deployCommand(): string | undefined {
  return bundleCommand
}

/** Returns the artifacts of this process: that of its bundle, and those that were preloaded. */
export function registeredArtifacts(): readonly Artifact[] {
  return mayBeNode ? [...bundled, ...registeredIndexes().map(openArtifact)] : bundled
}
