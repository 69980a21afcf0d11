import { digestOf } from '../../runtime/artifact/digest.ts'
import type { Answer, Question } from '../util/source-files.ts'
import { ask } from '../util/source-files.ts'
import type { Closure, ClosureEntry } from './closure.ts'
import { questionsOf } from './record.ts'
import { readSealed, writeSealed } from './sealed.ts'

/** What real code consists of, as far as this build or an earlier one has followed it. */
export interface ClosureStore {
  /** That of some entries: it is followed where no earlier build has, and where something of it is another now. */
  of(entries: readonly ClosureEntry[]): Promise<Closure>
  /** The same, only if an earlier build has followed it, and it is as it was. */
  known(entries: readonly ClosureEntry[]): Closure | undefined
  /** What was asked about the files of all that was given, with the answers. */
  answers(): Iterable<Answer>
  /** Writes what this build has given. */
  save(): void
}

interface Followed extends Closure {
  readonly answers: readonly Answer[]
}

interface Stored {
  readonly print: string
  readonly closures: readonly (readonly [key: string, Followed])[]
}

/** @param print of the compiler */
export function openClosures(file: string, print: string, root: string): ClosureStore {
  const before = new Map(read())
  const now = new Map<string, Followed>()
  return { of, known, answers, save }

  function read(): Stored['closures'] {
    const content = readSealed(file)
    if (content === undefined) return []
    const stored = JSON.parse(content) as Stored
    return stored.print === print ? stored.closures : []
  }

  async function of(entries: readonly ClosureEntry[]): Promise<Closure> {
    const found = known(entries)
    if (found !== undefined) return found
    const { closureOf } = await import('./closure.ts')
    const closure = await closureOf(entries)
    const followed = { ...closure, answers: answersFor(entries, closure) }
    now.set(keyOf(entries), followed)
    return followed
  }

  function known(entries: readonly ClosureEntry[]): Closure | undefined {
    const key = keyOf(entries)
    const given = now.get(key)
    if (given !== undefined) return given
    const found = before.get(key)
    if (found === undefined || !found.answers.every(isStill)) return undefined
    now.set(key, found)
    return found
  }

  function* answers(): Iterable<Answer> {
    for (const followed of now.values()) yield* followed.answers
  }

  function save(): void {
    const stored: Stored = { print, closures: [...now] }
    writeSealed(file, JSON.stringify(stored))
  }

  function keyOf(entries: readonly ClosureEntry[]): string {
    const asked = entries.map(({ specifier, importer, code }) => [specifier, importer, code])
    return digestOf(JSON.stringify([root, asked]))
  }
}

/** What would have to be another, were the closure another. */
function answersFor(entries: readonly ClosureEntry[], { files }: Closure): readonly Answer[] {
  const importers = entries.map(({ importer }) => importer)
  const questions: (readonly [Question, string])[] = [
    ...files.map((file) => ['text', file] as const),
    ...questionsOf([...importers, ...files]),
  ]
  return questions.map(([question, path]) => [question, path, ask(question, path)])
}

function isStill([question, path, answer]: Answer): boolean {
  return ask(question, path) === answer
}
