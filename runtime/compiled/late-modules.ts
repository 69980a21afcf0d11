/** What lies beside the main module of a deployment, and is loaded when it is needed: modules, for platforms whose modules are no files, and files. */
import type { ChunkModule } from '../artifact/functions/chunks.ts'
import { createMakers, loadChunk } from '../artifact/functions/chunks.ts'
import type { ArtifactFile, Place } from '../artifact/files/index.ts'
import { DamagedArtifactError, openFolder } from '../artifact/files/index.ts'
import type { Maker } from '../artifact/functions/made.ts'
import { requireFrom } from '../artifact/require-from.ts'
import * as generated from '../generated/index.ts'

/** The default export of a module beside the one that this is part of. */
export function loadModule(name: string): unknown {
  // In Workers without the flag `new_module_registry`, modules have no URLs, and the default export is what is required.
  const here = (import.meta.url as string | undefined) ?? 'file:///'
  try {
    const found = requireFrom(here, `./${name}`) as { readonly default?: unknown }
    return found.default ?? found
  } catch (error) {
    throw new DamagedArtifactError(name, `cannot be loaded: ${String(error)}`)
  }
}

/**
 * Finds the functions that stand in modules.
 *
 * @param chunks the names of the modules, with how many functions each has
 */
export function functionsIn(
  chunks: readonly (readonly [name: string, count: number])[],
): (position: number) => Maker {
  return createMakers(countsOf(chunks), (nth) => {
    const [name] = chunks[nth] as readonly [string, number]
    return (loadModule(name) as ChunkModule)(generated)
  })
}

/**
 * Finds the functions that stand in files.
 *
 * @param place of one of them
 * @param build the id of the deployment
 * @param chunks the files, with how many functions each has
 */
export function functionsInFiles(
  place: Place,
  build: string,
  chunks: readonly (readonly [file: ArtifactFile, count: number])[],
): (position: number) => Maker {
  const folder = openFolder(place, build)
  return createMakers(countsOf(chunks), (nth) => {
    const [file] = chunks[nth] as readonly [ArtifactFile, number]
    return loadChunk(place, folder, file, generated)
  })
}

function countsOf(
  chunks: readonly (readonly [place: unknown, count: number])[],
): () => readonly number[] {
  const counts = chunks.map(([, count]) => count)
  return () => counts
}
