/** Explains errors in development with the problems that a build finds in the application. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../model/diagnostic.ts'
import { isFile, packageRootOf } from '../util/paths.ts'
import { codeFrame } from '../report/frame.ts'

/** Timeout of the build, in ms: the developer waits for an error. */
const TIMEOUT = 30_000

/** Problems that make Fastify throw for a schema. A build finds others too, which aren't the cause of the error. */
const ABOUT_SCHEMAS = /^AOT_(BODY|REF|RESPONSE|SCHEMA(?!_NOT_STATIC))/

let buildProblems: string | undefined

/**
 * Returns the problems of schemas that `framework check` finds in the running program. Without any, or if another program runs the
 * application, such as a test runner, so that the entry isn't known, returns the code frame of the route that couldn't be compiled.
 *
 * @param place of the route, as `file:line:column`
 */
export function problemsOfProgram(place: string | undefined): string {
  buildProblems ??= problemsOf(process.argv[1])
  return buildProblems === '' && place !== undefined ? frameOf(place) : buildProblems
}

/**
 * The code frame of a place; empty if the file can't be read, because test runners may rename it. The last line is that of a stack:
 * test runners read such lines and show the source themselves.
 */
function frameOf(place: string): string {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? []
  if (!isFile(file)) return ''
  const at = { file, line: Number(line), column: Number(column) }
  return `${place}\n\n${codeFrame(readFileSync(file, 'utf8'), at)}\n\n    at ${resolve(place)}`
}

function problemsOf(entry: string | undefined): string {
  if (entry === undefined || !isFile(entry) || entry.includes(`${sep}node_modules${sep}`)) return ''
  const command = createRequire(import.meta.url).resolve('@framework/compiler/cli')
  const args = [command, 'check', entry, '--json', '--allow-dynamic']
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: TIMEOUT,
    // Preloaded modules are meant for the application, not for the command.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // Without JSON, the command was refused or killed.
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
