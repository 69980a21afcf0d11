/** What a command prints: words for people, or one JSON object of one form. */
import type { Diagnostic } from '../compiler/model/index.ts'
import type { Paint } from './terminal.ts'
import { paintFor } from './terminal.ts'
import type { Progress } from './progress.ts'
import { createProgress } from './progress.ts'

/** Raised when a program that reads the output of `--json` could not read it any more. */
export const OUTPUT_FORMAT = 1

/** What came of a command. */
export interface Outcome {
  readonly ok: boolean
  readonly diagnostics?: readonly Diagnostic[]
  readonly warnings?: readonly Diagnostic[]
  /** What `--json` shows as `result`. */
  readonly result?: object
  /** In words: what was asked for. */
  readonly answer?: string
  /** In words: what was done. `--quiet` leaves it out. A function where it takes time to say. */
  readonly report?: string | (() => string)
  /** In words, for standard error: what is wrong, or to be known. */
  readonly problems?: string
}

/** Where a command prints while it runs, and how. */
export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  /** Of the terminal that standard output is; `undefined` where it is none, or does not say. */
  readonly columns: number | undefined
  /** For standard output. */
  readonly paint: Paint
  /** For standard error. */
  readonly paintError: Paint
  progress(): Progress
  /** Prints what came of a command; returns the exit code. */
  print(command: string, outcome: Outcome): number
}

export function createOutput({
  json = false,
  quiet = false,
}: Partial<Pick<Output, 'json' | 'quiet'>>): Output {
  const paint = paintFor(process.stdout)
  const columns = process.stdout.isTTY ? process.stdout.columns || undefined : undefined
  return { json, quiet, columns, paint, paintError: paintFor(process.stderr), progress, print }

  function progress(): Progress {
    return json || quiet ? silent : createProgress()
  }

  function print(command: string, outcome: Outcome): number {
    if (json) console.log(JSON.stringify(toEnvelope(command, outcome), null, 2))
    else {
      const { problems = '', answer = '', report = '' } = outcome
      if (problems !== '') console.error(problems)
      if (answer !== '') console.log(answer)
      if (report !== '' && !quiet) console.log(typeof report === 'string' ? report : report())
    }
    return outcome.ok ? 0 : 1
  }
}

const silent: Progress = { show: () => undefined, clear: () => undefined }

function toEnvelope(command: string, outcome: Outcome): object {
  const { ok, diagnostics = [], warnings = [], result = null } = outcome
  return { format: OUTPUT_FORMAT, command, ok, diagnostics, warnings, result }
}
