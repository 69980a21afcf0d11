import type { Artifact } from '../artifact/index.ts'
import type { ArtifactIndex } from '../artifact/load.ts'
import { openChunks } from '../artifact/load.ts'
import { registeredIndexes } from '../artifact/registry.ts'
import * as generated from '../generated/index.ts'

const opened = new WeakMap<ArtifactIndex, Artifact>()

/** Opens the artifact of an index; reads no file yet. */
export function openArtifact(index: ArtifactIndex): Artifact {
  let artifact = opened.get(index)
  if (artifact === undefined) opened.set(index, (artifact = openChunks(index, generated)))
  return artifact
}

const bundled: Artifact[] = []
let deploying: string | undefined

/**
 * Gives every instance an artifact: that of the bundle which they are all part of.
 *
 * @param command what makes the bundle anew
 */
export function provideArtifact(artifact: Artifact, command: string): void {
  bundled.push(artifact)
  deploying = command
}

/** What makes the bundle anew that the application is part of, with its functions; `undefined` when it is part of none. */
export function deployCommand(): string | undefined {
  return deploying
}

/** The artifacts that the process was given: by its bundle, and those that were preloaded. */
export function registeredArtifacts(): readonly Artifact[] {
  return [...bundled, ...registeredIndexes().map(openArtifact)]
}
