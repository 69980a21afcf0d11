import type { Dirent } from 'node:fs'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'

/** What can be asked about a path; `packages`: which ones are installed in a folder `node_modules`. */
export type Question = 'kind' | 'text' | 'list' | 'real' | 'packages'

export type Answer = readonly [Question, path: string, answer: string]

/** A module that real code has loaded: a package that a slice needs, a plugin of Ajv. */
export interface LoadedModule {
  /** An absolute file, or a specifier as written. */
  readonly specifier: string
  /** The absolute file that the specifier is resolved from. */
  readonly importer: string
}

/**
 * The file system as one build sees it: the only way for the scan to read it.
 *
 * It remembers every question with its answer, also those about files that are not there. As long as all of them
 * have the same answers, the application is the same, and nothing needs to be built again.
 */
export class SourceFiles {
  readonly #answers = new Map<Question, Map<string, string>>()
  /** What real code has loaded, by specifier and importer; what it then read itself is not known here. */
  readonly loaded: Map<string, LoadedModule> = new Map()

  /** Files that import packages into which the build has looked. */
  readonly importers: Set<string> = new Set()

  /** Files of whose text more was taken than what it says as source. */
  readonly texts: Set<string> = new Set()

  /** Throws when `file` cannot be read. */
  text(file: string): string {
    this.texts.add(file)
    return this.source(file)
  }

  /** The text of a file that is parsed and not looked at in another way. */
  source(file: string): string {
    const text = readFileSync(file, 'utf8')
    this.#remember('text', file, digestOf(text))
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

  /** What is in a folder, by name. Throws when it cannot be read. */
  list(folder: string): Dirent[] {
    const entries = entriesOf(folder)
    this.#remember('list', folder, digestOf(namesOf(entries)))
    return entries
  }

  /** Without symbolic links. Throws when there is nothing. */
  real(path: string): string {
    const real = realpathSync(path)
    this.#remember('real', path, real)
    return real
  }

  noteLoaded({ specifier, importer }: LoadedModule): void {
    this.loaded.set(`${specifier}\n${importer}`, { specifier, importer })
  }

  /** Takes over an answer of an earlier build that is still right. */
  recall([question, path, answer]: Answer): void {
    this.#remember(question, path, answer)
  }

  /** Every question that was asked, with its answer. */
  *answers(): Iterable<Answer> {
    for (const [question, answers] of this.#answers) {
      for (const [path, answer] of answers) yield [question, path, answer]
    }
  }

  #kind(path: string): string {
    const known = this.#answers.get('kind')?.get(path)
    if (known !== undefined) return known
    return this.#remember('kind', path, kindOf(path))
  }

  /** Keeps the first answer: it is the one that the build has used first. */
  #remember(question: Question, path: string, answer: string): string {
    let answers = this.#answers.get(question)
    if (answers === undefined) this.#answers.set(question, (answers = new Map()))
    if (!answers.has(path)) answers.set(path, answer)
    return answer
  }
}

/** Asks the file system; '' when there is no such file or folder, or none that can be read. */
export function ask(question: Question, path: string): string {
  try {
    switch (question) {
      case 'kind':
        return kindOf(path)
      case 'text':
        return digestOf(readFileSync(path, 'utf8'))
      case 'list':
        return digestOf(namesOf(entriesOf(path)))
      case 'real':
        return realpathSync(path)
      case 'packages':
        return digestOf(packagesIn(path).join('\n'))
    }
  } catch (error) {
    if (isFileError(error)) return ''
    throw error
  }
}

/** Names of packages; of what else is there (caches, commands) nothing depends. */
function packagesIn(folder: string): string[] {
  return entriesOf(folder).flatMap(({ name }) => {
    if (name.startsWith('.')) return []
    if (!name.startsWith('@')) return name
    return entriesOf(join(folder, name)).map((inner) => `${name}/${inner.name}`)
  })
}

function kindOf(path: string): 'file' | 'folder' | 'none' {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 'none'
  return stat.isDirectory() ? 'folder' : 'file'
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function namesOf(entries: readonly Dirent[]): string {
  return entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).join('\n')
}

/** Whether it is the file system that has refused: there is no such file, or it may not be read or written. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
