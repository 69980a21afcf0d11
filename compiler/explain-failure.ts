/** Errors of development: what a build has to say of the application, with its places and its next steps. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Diagnostic } from './model-diagnostic.ts'
import { isFile, packageRootOf } from './options.ts'
import { codeFrame } from './report/frame.ts'

/** How long the build may take, in ms: somebody waits for an error. */
const PATIENCE = 30_000

/** What says where a schema is wrong; the rest is not what the application has failed with. */
const ABOUT_SCHEMAS = /^AOT_(BODY|REF|RESPONSE|SCHEMA(?!_NOT_STATIC))_?/

let said: string | undefined

/**
 * What `framework check` says of the program that runs. Nothing where another program runs the application, as tests are run:
 * then nobody knows the entry.
 */
export function problemsOfProgram(): string {
  return (said ??= problemsOf(process.argv[1]))
}

function problemsOf(entry: string | undefined): string {
  if (entry === undefined || !isFile(entry) || entry.includes(`${sep}node_modules${sep}`)) return ''
  const command = fileURLToPath(new URL('../cli/main.js', import.meta.url))
  const args = [command, 'check', entry, '--json', '--allow-dynamic']
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: PATIENCE,
    // What is preloaded here is not for the command.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // A command line that is refused, or a command that is ended, says nothing.
  if (!stdout.startsWith('{')) return ''
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }
  const root = packageRootOf(entry) ?? process.cwd()
  return diagnostics
    .filter(({ code }) => ABOUT_SCHEMAS.test(code))
    .map((problem) => textOf(problem, root))
    .join('\n\n')
}

function textOf({ code, message, at }: Diagnostic, root: string): string {
  const place = `${at.file}:${at.line}:${at.column}`
  const frame = codeFrame(readFileSync(join(root, at.file), 'utf8'), at)
  return `${place}  ${code}\n${message}\n\n${frame}`
}
