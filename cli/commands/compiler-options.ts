import type { LineName } from '../../runtime/artifact/lines.ts'
import { lines } from '../../runtime/artifact/lines.ts'
import type { BuildOptions } from '../../compiler/options.ts'
import type { Option, Values } from '../command.ts'
import { entryFor } from '../entry.ts'
import { readEnvironment } from '../env-files.ts'
import { usageError } from '../parse.ts'

/** `--server`: which server the artifact is for. */
export const serverOption: Option & { readonly type: 'string'; readonly multiple?: false } = {
  type: 'string',
  short: 's',
  formerly: { name: 'target', short: 't' },
  value: 'server',
  choices: lines,
  summary: `what serves it: ${lines.join(', ')} (default: what the application imports)`,
}

export function lineNameOf(server: string | undefined): LineName | undefined {
  return lines.find((one) => one === server)
}

/** Options of every command that compiles an application. */
export const compilerOptions = {
  'allow-dynamic': {
    type: 'boolean',
    summary: 'leave out what only the running application knows, instead of failing',
  },
  trace: {
    type: 'boolean',
    summary: 'boot the application as well, and take from it what its source does not say',
  },
  'no-boot': {
    type: 'boolean',
    summary: 'do not boot the application in a sandbox to complete what its source does not say',
  },
  'env-file': {
    type: 'string',
    multiple: true,
    value: 'file',
    summary: 'environment variables for the boot in the sandbox; may be repeated',
  },
  'strict-eval': {
    type: 'boolean',
    summary: 'fail when a package generates code at run time, instead of warning',
  },
  'boot-timeout': {
    type: 'string',
    value: 'seconds',
    summary: 'how long booting may take (default: 30)',
  },
  'no-cache': { type: 'boolean', summary: 'compile everything again, even if nothing has changed' },
} as const

const artifactOption = {
  artifact: {
    type: 'string',
    value: 'dir',
    summary: 'folder of the artifact (default: .framework beside package.json)',
  },
} as const

/** Options of the commands that read an artifact, or else the source. */
export const readingOptions: typeof artifactOption & typeof compilerOptions = {
  ...artifactOption,
  ...compilerOptions,
}

const outOption = {
  out: {
    type: 'string',
    short: 'o',
    value: 'dir',
    summary: 'folder to write to (default: .framework beside package.json)',
  },
} as const

/** Options of the commands that write an artifact. */
export const writingOptions: typeof outOption & {
  readonly server: typeof serverOption
} & typeof compilerOptions = { ...outOption, server: serverOption, ...compilerOptions }

export function readCompilerOptions(
  values: Values<typeof compilerOptions>,
): Omit<BuildOptions, 'entry' | 'out' | 'verify'> {
  const seconds = Number(values['boot-timeout'] ?? 30)
  if (!(seconds > 0)) throw usageError('`--boot-timeout` takes a number of seconds.')
  return {
    allowDynamic: values['allow-dynamic'],
    boot: !values['no-boot'],
    bootEnvironment: readEnvironment(values['env-file'] ?? []),
    trace: values.trace,
    strictEval: values['strict-eval'],
    bootTimeout: seconds * 1000,
    cache: !values['no-cache'],
  }
}

/** @param given the entry, if the command line has one */
export async function readWritingOptions(
  values: Values<typeof writingOptions>,
  given: string | undefined,
): Promise<BuildOptions> {
  const { out, server } = values
  const entry = await entryFor(given, out)
  return { ...readCompilerOptions(values), entry, out, line: lineNameOf(server) }
}
