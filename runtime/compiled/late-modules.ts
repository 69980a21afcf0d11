/** Modules of a deployment beside the main one, for platforms whose modules are no files; loaded when they are needed. */
import { DamagedArtifactError } from '../artifact/files/index.ts'
import type { ChunkModule } from '../artifact/load.ts'
import type { Maker } from '../artifact/made.ts'
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
  const loaded = new Map<string, readonly Maker[]>()
  return (position) => {
    let place = position
    for (const [name, count] of chunks) {
      if (place < count) return makersIn(name)[place] as Maker
      place -= count
    }
    throw new RangeError(`No function has the position ${position}`)
  }

  function makersIn(name: string): readonly Maker[] {
    let makers = loaded.get(name)
    if (makers === undefined) {
      makers = (loadModule(name) as ChunkModule)(generated)
      loaded.set(name, makers)
    }
    return makers
  }
}
