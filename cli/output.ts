/** Prints the outcome of a command: as text, or as one JSON object with `--json`. */
import { docsOf } from './code-link.ts'
import type { Diagnostic } from '../compiler/model/index.ts'
import type { Paint } from './terminal.ts'
import { paintFor } from './terminal.ts'
import type { Progress } from './progress.ts'
import { createProgress } from './progress.ts'

/** Version of the `--json` format. Raised for incompatible changes. */
export const OUTPUT_FORMAT = 1

/** The outcome of a command. */
export interface Outcome {
  readonly ok: boolean
  readonly diagnostics?: readonly Diagnostic[]
  readonly warnings?: readonly Diagnostic[]
  /** Becomes `result` in the `--json` output. */
  readonly result?: object
  /** Text: the requested information. */
  readonly answer?: string
  /** Text: a report of what was done, omitted with `--quiet`. A function if it is expensive to create. */
  readonly report?: string | (() => string)
  /** Text for standard error: problems and warnings. */
  readonly problems?: string
}

/** Where and how a command prints. */
export interface Output {
  readonly json: boolean
  readonly quiet: boolean
  /** Width of the terminal. Undefined if standard output isn't a terminal, or the terminal doesn't report it. */
  readonly columns: number | undefined
  /** For standard output. */
  readonly paint: Paint
  /** For standard error. */
  readonly paintError: Paint
  progress(): Progress
  /** Prints an outcome and returns the exit code. */
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
  const withDocs = (list: readonly Diagnostic[]): object[] =>
    list.map((one) => ({ ...one, docs: docsOf(one.code) }))
  return {
    format: OUTPUT_FORMAT,
    command,
    ok,
    diagnostics: withDocs(diagnostics),
    warnings: withDocs(warnings),
    result,
  }
}
