import type { LoadedModule } from '../util/source-files.ts'
import type { ClosureStore } from './closures.ts'
import { readSealed, writeSealed } from './sealed.ts'

/** What slices have computed in earlier builds: right as long as the modules that they ran are what they were. */
export interface SliceStore {
  /** Whether nothing is known that would still be right. */
  isEmpty(): boolean
  /** The answer to a question, by all that says which one it is. */
  get(question: string): Uint8Array | undefined
  put(question: string, answer: Uint8Array): void
  /**
   * Writes what this build has got and put.
   *
   * @param loaded the modules that slices have run
   */
  save(loaded: readonly LoadedModule[]): void
}

interface Stored {
  readonly print: string
  readonly loaded: readonly LoadedModule[]
  readonly answers: Readonly<Record<string, string>>
}

/** @param print of the compiler */
export function openSlices(file: string, print: string, closures: ClosureStore): SliceStore {
  let before: Stored['answers'] | undefined
  const now = new Map<string, string>()
  let isAsked = false
  return { isEmpty, get, put, save }

  function isEmpty(): boolean {
    isAsked = true
    return Object.keys((before ??= read())).length === 0
  }

  /** Looked at when something is asked for the first time: most builds ask nothing. */
  function read(): Stored['answers'] {
    const content = readSealed(file)
    if (content === undefined) return {}
    const { print: by, loaded, answers } = JSON.parse(content) as Stored
    if (by !== print) return {}
    return closures.known(loaded)?.isComplete === true ? answers : {}
  }

  function get(question: string): Uint8Array | undefined {
    isAsked = true
    const answer = (before ??= read())[question]
    if (answer === undefined) return undefined
    now.set(question, answer)
    return Buffer.from(answer, 'base64')
  }

  function put(question: string, answer: Uint8Array): void {
    isAsked = true
    now.set(question, Buffer.from(answer).toString('base64'))
  }

  function save(loaded: readonly LoadedModule[]): void {
    // A build that has not scanned leaves what is there.
    if (!isAsked && loaded.length > 0) return
    const stored: Stored = { print, loaded, answers: Object.fromEntries(now) }
    writeSealed(file, JSON.stringify(stored))
  }
}
