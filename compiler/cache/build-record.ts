/** The record of a build: what it read, and what it wrote. A later build has nothing to do if both are unchanged. */
import { dirname, join, relative, resolve, sep } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Output } from '../model/index.ts'
import type { ObservedRead, ReadKind, SourceFiles } from '../util/source-files.ts'
import { readAgain } from '../util/source-files.ts'

/** Paths are relative to the root, so that the cache can be copied to another machine. */
export interface BuildRecord {
  /** Fingerprint of the environment variables if options were imported: code of the application may have read them. */
  readonly environment: string | undefined
  /** Results of reads, by kind and path. */
  readonly reads: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly parts: Readonly<Record<string, string>>
  readonly entryFiles: Readonly<Record<string, string>>
  /** The result of the build without the artifact. */
  readonly result: unknown
}

/** Hidden files in which package managers note what they have installed. */
export const LOCKS: readonly string[] = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml']

export function recordReads(
  root: string,
  files: SourceFiles,
  moreReads: Iterable<ObservedRead>,
): BuildRecord['reads'] {
  const reads: Record<string, Record<string, string>> = {}
  const add = ([kind, path, result]: ObservedRead): void => {
    const ofKind = (reads[kind] ??= {})
    ofKind[toRelative(path, root)] ??= kind === 'real' ? toRelative(result, root) : result
  }
  for (const read of files.reads()) add(read)
  for (const read of moreReads) add(read)
  const importers = [...files.loaded.values()].map(({ importer }) => importer)
  for (const [kind, path] of installationReads([...importers, ...files.importers]))
    add([kind, path, readAgain(kind, path)])
  return reads
}

/** Fingerprint of the packages that are installed for some files. */
export function installationFingerprint(files: readonly string[]): string {
  const results = installationReads(files).map(([kind, path]) => readAgain(kind, path))
  return digestOf(results.join('\n'))
}

/** The reads that show which packages are installed for some files, and what package managers note about them. */
export function installationReads(
  files: readonly string[],
): (readonly [kind: ReadKind, path: string])[] {
  return [...foldersAbove(files)].flatMap((folder) => {
    const packages = join(folder, 'node_modules')
    const locks = LOCKS.map((lock) => ['text', join(packages, lock)] as const)
    return [['packages', packages] as const, ...locks]
  })
}

/** Returns whether every read of the build would give the same result now. */
export function isUpToDate({ reads }: BuildRecord, root: string): boolean {
  return Object.entries(reads).every(([kind, results]) =>
    Object.entries(results).every(([path, result]) => {
      const expected = kind === 'real' ? resolve(root, result) : result
      return readAgain(kind as ReadKind, resolve(root, path)) === expected
    }),
  )
}

export function pathsOf({ reads }: BuildRecord, root: string): readonly string[] {
  return Object.values(reads).flatMap((results) =>
    Object.keys(results).map((path) => resolve(root, path)),
  )
}

/** Fingerprint of the whole environment, because it can't be seen which variables imported code has read. */
export function environmentFingerprint(): string {
  return digestOf(JSON.stringify(Object.entries(process.env).sort(([a], [b]) => (a < b ? -1 : 1))))
}

export function digestsOf(files: Output['parts']): Record<string, string> {
  return Object.fromEntries([...files].map(([file, content]) => [file, digestOf(content)]))
}

function foldersAbove(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const file of files) {
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder)
    }
  }
  return folders
}

function toRelative(path: string, root: string): string {
  return relative(root, path).split(sep).join('/')
}
