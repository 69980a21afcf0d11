import { join, relative } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { ContextTree, Output } from '../model/index.ts'
import type { GraphEntry, PackageFacts } from '../packages/index.ts'
import { isFileError, SourceFiles } from '../util/source-files.ts'
import type { BuildRecord } from './build-record.ts'
import { environmentFingerprint, installationFingerprint, recordReads } from './build-record.ts'
import { openBoots, type BootStore } from './boots.ts'
import { readChecksummed, writeChecksummed } from './checksummed-file.ts'
import { createClosures, type Closures } from './closure.ts'
import { openEvaluations, type EvaluationStore } from './evaluations.ts'
import type { Cache } from './index.ts'
import { openUnits, type UnitStore } from './units.ts'

/** Results of earlier builds that a build may use, and what it reads itself. */
export interface BuildCaches {
  /** Records what the build reads. */
  readonly files: SourceFiles
  readonly closures: Closures
  readonly evaluations: EvaluationStore
  readonly boots: BootStore
  /** @param functions fingerprint of the functions in the options, if they have one */
  units(functions: string | undefined): UnitStore
  /** Examines the packages that the application imports, unless an earlier build has seen the same imports and packages. */
  packages(entries: readonly GraphEntry[]): Promise<PackageFacts>
  /** Writes the caches. Returns the reason if they can't be written: the build is valid all the same. */
  save(): Promise<string | undefined>
}

interface StoredFacts {
  readonly key: string
  readonly facts: PackageFacts
}

export function openBuildCaches({ folder, root }: Cache): BuildCaches {
  const files = new SourceFiles()
  const closures = createClosures()
  const evaluations = openEvaluations(join(folder, 'evaluations'))
  const boots = openBoots(join(folder, 'boots'))
  const factsFile = join(folder, 'packages')
  let units: UnitStore | undefined
  let newFacts: StoredFacts | undefined
  return {
    files,
    closures,
    evaluations,
    boots,
    units: (functions) => (units = openUnits(join(folder, 'units'), functions)),
    async packages(entries) {
      for (const { importer } of entries) files.importers.add(importer)
      const key = keyOf(entries, root)
      const stored = readChecksummed<StoredFacts>(factsFile)
      if (stored?.key === key) return stored.facts
      const { factsOf } = await import('../packages/index.ts')
      newFacts = { key, facts: await factsOf(entries) }
      return newFacts.facts
    },
    async save() {
      const loaded = await closures.of([...files.loaded.values()])
      return whyNotWritten(() => {
        evaluations.save(loaded)
        boots.save()
        units?.save()
        if (newFacts !== undefined) writeChecksummed(factsFile, newFacts)
      })
    },
  }
}

/** Writes the caches for later builds. Returns the reason if they can't be written: the artifact is valid all the same. */
export async function saveBuild(
  cache: Cache,
  { files, closures, boots, save }: BuildCaches,
  { tree, output }: { readonly tree: ContextTree; readonly output: Output },
  result: BuildRecord['result'],
): Promise<string | undefined> {
  const { functionFingerprint, importedFunctions } = await import('./function-fingerprint.ts')
  const hasFunctions = importedFunctions(tree).length > 0
  const loaded = await closures.of([...files.loaded.values()])
  const isKnown = !hasFunctions || (await functionFingerprint(tree, closures)) !== undefined
  const refusal = await save()
  if (refusal !== undefined) return refusal
  if (!loaded.isComplete || !isKnown) {
    return 'the build ran code of the application that may depend on more than its files'
  }
  return whyNotWritten(() =>
    cache.record(output, {
      reads: recordReads(cache.root, files, [...closures.reads(), ...boots.reads()]),
      environment: hasFunctions ? environmentFingerprint() : undefined,
      result,
    }),
  )
}

function keyOf(entries: readonly GraphEntry[], root: string): string {
  const installed = installationFingerprint(entries.map(({ importer }) => importer))
  const imports = entries.map(({ specifier, importer, isRequired }) => {
    return [specifier, relative(root, importer), isRequired]
  })
  return digestOf(JSON.stringify([root, imports, installed]))
}

/** Returns the file system's error message if writing fails. */
function whyNotWritten(write: () => void): string | undefined {
  try {
    write()
    return undefined
  } catch (error) {
    if (!isFileError(error)) throw error
    return error.message
  }
}
