import { readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'

/** The information that is read about a path; `packages`: the names of the packages in a folder `node_modules`. */
export type ReadKind = 'kind' | 'text' | 'list' | 'real' | 'packages'

/** One read with its result. */
export type ObservedRead = readonly [kind: ReadKind, path: string, result: string]

/** A module that the build has run: a package that a sandboxed evaluation needs, a plugin of Ajv. */
export interface LoadedModule {
  /** An absolute file, or a specifier as written. */
  readonly specifier: string
  /** The absolute file that the specifier is resolved from. */
  readonly importer: string
}

/**
 * The file system as one build sees it. The scan reads files only through this class.
 *
 * It records reads with their results, also that a file doesn't exist. As long as all of them have the same results, the
 * application is the same, and nothing needs to be built again.
 */
export class SourceFiles {
  readonly #reads = new Map<ReadKind, Map<string, string>>()
  /** Modules that the build has run, by specifier and importer. The files that they read themselves aren't recorded here. */
  readonly loaded: Map<string, LoadedModule> = new Map()

  /** Files that import packages whose facts the build has used. */
  readonly importers: Set<string> = new Set()

  /** Throws when `file` cannot be read. */
  text(file: string): string {
    const text = readFileSync(file, 'utf8')
    this.#record('text', file, digestOf(text))
    return text
  }

  exists(path: string): boolean {
    return this.#kind(path) !== 'none'
  }

  isFile(path: string): boolean {
    return this.#kind(path) === 'file'
  }

  isFolder(path: string): boolean {
    return this.#kind(path) === 'folder'
  }

  /** The entries of a folder, by name. Throws when it cannot be read. */
  list(folder: string): Dirent[] {
    const entries = entriesOf(folder)
    this.#record('list', folder, digestOf(namesOf(entries)))
    return entries
  }

  /** The path without symbolic links. Throws when it doesn't exist. */
  real(path: string): string {
    return this.#reads.get('real')?.get(path) ?? this.#record('real', path, realpathSync(path))
  }

  addLoaded({ specifier, importer }: LoadedModule): void {
    this.loaded.set(`${specifier}\n${importer}`, { specifier, importer })
  }

  *reads(): Iterable<ObservedRead> {
    for (const [kind, results] of this.#reads) {
      for (const [path, result] of results) yield [kind, path, result]
    }
  }

  #kind(path: string): string {
    const recorded = this.#reads.get('kind')?.get(path)
    if (recorded !== undefined) return recorded
    return this.#record('kind', path, kindOf(path))
  }

  /** Keeps the first result, because the build has used it first. */
  #record(kind: ReadKind, path: string, result: string): string {
    let results = this.#reads.get(kind)
    if (results === undefined) this.#reads.set(kind, (results = new Map()))
    if (!results.has(path)) results.set(path, result)
    return result
  }
}

/** Repeats a read. Other kinds than `kind` return '' if there is no such file or folder, or if it can't be read. */
export function readAgain(kind: ReadKind, path: string): string {
  try {
    switch (kind) {
      case 'kind':
        return kindOf(path)
      case 'text':
        return digestOf(readFileSync(path, 'utf8'))
      case 'list':
        return digestOf(namesOf(entriesOf(path)))
      case 'real':
        return realpathSync(path)
      case 'packages': {
        // The cache creates a folder `node_modules` without packages.
        const names = packagesIn(path)
        return names.length === 0 ? '' : digestOf(names.join('\n'))
      }
    }
  } catch (error) {
    if (isFileError(error)) return ''
    throw error
  }
}

/** Returns the names of the packages in a folder `node_modules`, without `.bin` and caches such as `.vite`. */
export function packagesIn(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => {
    if (name.startsWith('.')) return []
    if (!name.startsWith('@')) return name
    return entriesOf(join(folder, name)).map((inner) => `${name}/${inner.name}`)
  })
}

/** Returns `other` for pipes and devices, because reading them may never end. */
function kindOf(path: string): 'file' | 'folder' | 'none' | 'other' {
  // `statSync` throws a TypeError for such a name, which isn't a file error.
  if (path.includes('\0')) return 'none'
  try {
    const stat = statSync(path)
    if (stat.isFile()) return 'file'
    return stat.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (isFileError(error)) return 'none'
    throw error
  }
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function namesOf(entries: readonly Dirent[]): string {
  return entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).join('\n')
}

/** Returns whether a call of the operating system failed. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
