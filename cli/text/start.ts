/** How to start an application with its artifact, as text. */
import { basename, join, normalize, relative } from 'node:path'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { filesIn } from '../init/scripts.ts'
import { programOf, starterIn } from '../init/entry.ts'
import { preloadsOf } from '../preloads.ts'
import { quoted } from '../shell.ts'
import type { ResolvedOptions } from '../../compiler/model/index.ts'
import { isTypeScript } from '../../compiler/util/module-kind.ts'
import { packageJsonIn } from '../../compiler/util/package-json.ts'
import { displayPath } from '../../compiler/util/paths.ts'

/** Says how to start the application from the current folder, and what is missing for that. */
export function startText(options: ResolvedOptions, { start }: Pick<Manifest, 'start'>): string {
  const { entry, root, line } = options
  const { packages, file } = preloadsOf(options)
  const preload = relativeModule(root, file)
  const isByCli = isStartedByCli(root, start)
  // fastify-cli has a Fastify of its own.
  const packagesOfCli = line === 'framework' ? ['framework/fastify'] : packages
  // Finding the starter may read all sources.
  const starter = start.kind === 'itself' || isByCli ? undefined : starterOf(entry, root)
  const program =
    start.kind === 'itself'
      ? outputText(entry, root)
      : (starter ?? `<the file that starts ${basename(entry)}>`)
  const command = isByCli
    ? `NODE_OPTIONS=${quoted(flagsText([...packagesOfCli, nodeQuoted(preload)]))} npx fastify start${'takesOptions' in start ? ' --options' : ''} ${outputText(entry, root)}`
    : nodeText([...packages, quoted(preload)], program, root)
  // The build assumes that an application runs in the folder of its package.json.
  const folder = relative(process.cwd(), root)
  const isLacking = start.kind !== 'itself' && !isByCli && starter === undefined
  const lacks = lackingText(basename(entry), isLacking, command.includes(' <'))
  return `${lacks}Start the application with\n  ${folder === '' ? '' : `cd ${quoted(folder)} && `}${command}`
}

/** Says what is missing before the application can be started. */
function lackingText(entry: string, lacksStarter: boolean, lacksOutput: boolean): string {
  if (lacksStarter)
    return `${entry} exports the application and does not listen: \`framework init\` adds a file that does. `
  if (!lacksOutput) return ''
  return `${entry} is TypeScript, which Node ${process.versions.node} does not run: install tsx, or set \`outDir\` in tsconfig.json and compile it. `
}

/** Returns true if nothing known starts the application: neither its entry, fastify-cli, the script `start` nor another file. */
export function lacksStarter(
  { entry, root }: Pick<ResolvedOptions, 'entry' | 'root'>,
  { start }: Pick<Manifest, 'start'>,
): boolean {
  return (
    start.kind !== 'itself' && !isStartedByCli(root, start) && starterOf(entry, root) === undefined
  )
}

function isStartedByCli(root: string, { kind }: Manifest['start']): boolean {
  return kind === 'plugin' && dependsOn(root, 'fastify-cli')
}

function flagsText(preloads: readonly string[]): string {
  return preloads.map((one) => `--import ${one}`).join(' ')
}

/** Formats the command. Uses tsx for TypeScript if the project has it, because Node doesn't support all of TypeScript's syntax. */
function nodeText(preloads: readonly string[], program: string, root: string): string {
  // The program may be in quotes.
  const runner = /\.[cm]?tsx?'?$/.test(program) && dependsOn(root, 'tsx') ? 'npx tsx' : 'node'
  return `${runner} ${flagsText(preloads)} ${program}`
}

/** Returns whether package.json lists a package. */
function dependsOn(root: string, name: string): boolean {
  const { dependencies, devDependencies } = packageJsonIn(root)
  return name in { ...dependencies, ...devDependencies }
}

/**
 * Finds the program of the script `start` if that isn't the entry, or else a file that imports the entry and listens. Not used for
 * applications that start themselves.
 */
function starterOf(entry: string, root: string): string | undefined {
  const { scripts = {} } = packageJsonIn(root)
  const program = outputText(entry, root)
  const named = filesIn(scripts['start'] ?? '').find((file) => quoted(normalize(file)) !== program)
  if (named !== undefined) return quoted(named)
  const starter = starterIn(root, displayPath(entry, root))
  return starter && outputText(join(root, starter), root)
}

/** Returns the file that runs: a source or its compiled output, or a placeholder in `<…>` if that is TypeScript that nothing here runs. */
function outputText(entry: string, root: string): string {
  const file = relative(root, entry)
  const program = programOf(root, file)
  const runs = !isTypeScript(program) || dependsOn(root, 'tsx') || stripsTypes
  return runs ? quoted(program) : `<${basename(entry).replace(/tsx?$/, 'js')}>`
}

/** True if this Node runs TypeScript. */
const stripsTypes = 'typescript' in process.features && Boolean(process.features.typescript)

/** Returns a relative path with leading dots: without them it would be a package name. */
function relativeModule(from: string, to: string): string {
  const path = relative(from, to)
  return /^\.\.[\\/]/.test(path) ? path : `./${path}`
}

/** Quotes a path for NODE_OPTIONS. */
function nodeQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll(/["\\]/g, '\\$&')}"`
}
