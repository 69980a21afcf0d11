/** Errors of development: what a build has to say of the application, with its places and its next steps. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../model/diagnostic.ts'
import { isFile, packageRootOf } from '../util/paths.ts'
import { codeFrame } from '../report/frame.ts'

/** How long the build may take, in ms: somebody waits for an error. */
const PATIENCE = 30_000

/** What says where a schema is wrong; the rest is not what the application has failed with. */
const ABOUT_SCHEMAS = /^AOT_(BODY|REF|RESPONSE|SCHEMA(?!_NOT_STATIC))_?/

let said: string | undefined

/**
 * What `framework check` says of the program that runs. Where another program runs the application, as tests are run, nobody knows
 * the entry: then the route is shown that could not be compiled.
 *
 * @param place of the route, as `file:line:column`
 */
export function problemsOfProgram(place: string | undefined): string {
  said ??= problemsOf(process.argv[1])
  return said === '' && place !== undefined ? frameOf(place) : said
}

/**
 * Nothing where the file cannot be read: what runs tests may name it in its own way. The last line is one of a stack: what runs tests
 * reads such lines alone, and shows the source itself.
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
