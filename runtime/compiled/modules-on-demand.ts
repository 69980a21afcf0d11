/** Modules beside the main module of a deployment that are loaded on demand, for platforms whose modules aren't files. */
import type { ChunkModule } from '../artifact/functions/chunks.ts'
import { createMakers } from '../artifact/functions/chunks.ts'
import { DamagedArtifactError } from '../artifact/files.ts'
import type { Maker } from '../artifact/functions/index.ts'
import { requireFrom } from '../artifact/require-from.ts'
import * as generated from '../generated/index.ts'

/** Returns the default export of a module beside the main module. */
export function loadModule(name: string): unknown {
  // In Workers without the flag `new_module_registry`, modules have no URLs, and `require` returns the default export.
  const here = (import.meta.url as string | undefined) ?? 'file:///'
  try {
    const found = requireFrom(here, `./${name}`) as { readonly default?: unknown }
    return found.default ?? found
  } catch (error) {
    throw new DamagedArtifactError(name, `cannot be loaded: ${String(error)}`)
  }
}

/**
 * Finds functions in modules.
 *
 * @param chunks names of the modules, with the number of functions in each
 */
export function functionsIn(
  chunks: readonly (readonly [name: string, count: number])[],
): (position: number) => Maker {
  const counts = chunks.map(([, count]) => count)
  return createMakers(
    () => counts,
    (nth) => {
      const [name] = chunks[nth] as readonly [string, number]
      return (loadModule(name) as ChunkModule)(generated)
    },
  )
}
