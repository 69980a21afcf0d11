import { join } from 'node:path'
import type { GraphEntry, PackageFacts } from '../packages/index.ts'
import { isFileError, SourceFiles } from '../util/source-files.ts'
import { createClosures, type Closures } from './closure.ts'
import type { EvaluationStore } from './evaluations.ts'
import { openEvaluations } from './evaluations.ts'
import type { Cache } from './index.ts'
import { openPackages } from './packages.ts'
import type { UnitStore } from './units.ts'
import { openUnits } from './units.ts'

/** Results of earlier builds that a build may use. */
export interface BuildCaches {
  /** Records what the build reads. */
  readonly files: SourceFiles
  readonly closures: Closures
  readonly evaluations: EvaluationStore
  /** @param functions fingerprint of the functions in the options, if they have one */
  units(functions: string | undefined): UnitStore
  /** Facts about the packages that the application imports. */
  packages(entries: readonly GraphEntry[]): Promise<PackageFacts>
  /** Writes the caches. Returns the reason if they can't be written: the build is valid all the same. */
  save(): Promise<string | undefined>
}

export function openBuildCaches({ folder, compiler, root }: Cache): BuildCaches {
  const files = new SourceFiles()
  const closures = createClosures()
  const evaluations = openEvaluations(join(folder, 'evaluations'), compiler)
  const packages = openPackages(join(folder, 'packages'), compiler, root)
  let units: UnitStore | undefined
  return {
    files,
    closures,
    evaluations,
    units: (functions) => (units = openUnits(join(folder, 'units'), compiler, functions)),
    packages(entries) {
      for (const { importer } of entries) files.importers.add(importer)
      return packages.facts(entries)
    },
    async save() {
      const loaded = await closures.of([...files.loaded.values()])
      return whyNotWritten(() => {
        evaluations.save(loaded)
        units?.save()
        packages.save()
      })
    },
  }
}

/** Returns the reason if the file system refuses. */
export function whyNotWritten(write: () => void): string | undefined {
  try {
    write()
    return undefined
  } catch (error) {
    if (!isFileError(error)) throw error
    return error.message
  }
}
