/** What a build has read and written: as long as all of it is as it was, there is nothing to build. */
import { dirname, join, relative, resolve, sep } from 'node:path'
import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Output } from '../model/index.ts'
import type { Answer, Question, SourceFiles } from '../util/source-files.ts'
import { ask } from '../util/source-files.ts'

/** Paths are relative to the root, so that a cache may be taken to another machine. */
export interface BuildRecord {
  /** Of the compiler. */
  readonly print: string
  /** Of the environment variables, when options were imported: code of the application may read them. */
  readonly environment: string | undefined
  /** Answers by path, by question. */
  readonly asked: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Digests by path in the folder of the artifact. */
  readonly parts: Readonly<Record<string, string>>
  readonly heads: Readonly<Record<string, string>>
  /** What was scanned, when that is kept: by this build, or by one before. */
  readonly scan: ScanRecord | undefined
  /** What the build has told besides the artifact. */
  readonly told: Readonly<Record<string, unknown>>
}

/** The scan that a build has gone by. */
export interface ScanRecord {
  /** Of the scan that is kept. */
  readonly id: string
  /** Files of which the text may be another than when it was made, relative to the root. */
  readonly edited: readonly string[]
}

/** Hidden files in which package managers note what they have installed. */
const LOCKS = ['.package-lock.json', '.modules.yaml', '.yarn-state.yml']

/** What is to be asked again, with the answers that the build went by. */
export function answersOf(
  root: string,
  files: SourceFiles,
  answers: Iterable<Answer>,
): BuildRecord['asked'] {
  const asked: Record<string, Record<string, string>> = {}
  const note = (question: Question, path: string, answer: string): void => {
    const answers = (asked[question] ??= {})
    answers[toRelative(path, root)] ??= question === 'real' ? toRelative(answer, root) : answer
  }
  for (const [question, path, answer] of files.answers()) note(question, path, answer)
  for (const [question, path, answer] of answers) note(question, path, answer)
  const importers = [...files.loaded.values()].map(({ importer }) => importer)
  for (const [question, path] of questionsOf([...importers, ...files.importers]))
    note(question, path, ask(question, path))
  return asked
}

/** Says what is installed for some files. */
export function installedPrint(files: readonly string[]): string {
  const answers = questionsOf(files).map(([question, path]) => ask(question, path))
  return digestOf(answers.join('\n'))
}

/** Which packages are installed for some files, and what package managers say about them. */
export function questionsOf(files: readonly string[]): (readonly [Question, string])[] {
  return [...foldersAbove(files)].flatMap((folder) => {
    const packages = join(folder, 'node_modules')
    const locks = LOCKS.map((lock) => ['text', join(packages, lock)] as const)
    return [['packages', packages] as const, ...locks]
  })
}

/**
 * The files whose text is another now; `undefined` when something else is. As soon as there is one, what was read as more
 * than source has to be looked at: that is not known here.
 */
export function changedFiles({ asked }: BuildRecord, root: string): readonly string[] | undefined {
  const changed: string[] = []
  for (const [question, path, answer] of answersIn(asked, root)) {
    if (ask(question, path) === answer) continue
    if (question !== 'text') return undefined
    changed.push(path)
  }
  return changed
}

/** With absolute paths. */
export function* answersIn(asked: BuildRecord['asked'], root: string): Iterable<Answer> {
  for (const [question, answers] of Object.entries(asked) as [
    Question,
    Readonly<Record<string, string>>,
  ][]) {
    for (const [path, answer] of Object.entries(answers)) {
      const isPath = question === 'real' && answer !== ''
      yield [question, resolve(root, path), isPath ? resolve(root, answer) : answer]
    }
  }
}

/** All that was asked about. Absolute. */
export function pathsOf({ asked }: BuildRecord, root: string): readonly string[] {
  return Object.values(asked).flatMap((answers) =>
    Object.keys(answers).map((path) => resolve(root, path)),
  )
}

/** The environment in one digest, since nobody sees which variables imported code has read. */
export function environmentPrint(): string {
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

export function toRelative(path: string, root: string): string {
  return relative(root, path).split(sep).join('/')
}
