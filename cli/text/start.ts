import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { CompilerOptions } from '../../compiler/1-scan/modules/compiler-options.ts'
import type { Manifest } from '../../compiler/5-bundle/manifest.ts'
import { filesIn } from '../../compiler/init/scripts.ts'
import { preloadsOf } from '../preloads.ts'
import { quoted } from '../shell.ts'
import type { ResolvedOptions } from '../../compiler/model.ts'
import { isFile } from '../../compiler/options.ts'
import { SourceFiles } from '../../compiler/source-files.ts'

/** How the application is started with its artifact, from the folder where the command was called. */
export function startText(
  { entry, out, root }: Pick<ResolvedOptions, 'entry' | 'out' | 'root'>,
  manifest: Pick<Manifest, 'start' | 'line'>,
): string {
  const { packages, file } = preloadsOf({ entry, out }, manifest)
  const preload = relativeModule(root, file)
  const { start, line } = manifest
  const isStartedByCli = line !== undefined && start.kind === 'plugin' && dependsOnCli(root)
  const command = isStartedByCli
    ? `NODE_OPTIONS=${quoted(flagsText([...packages, nodeQuoted(preload)]))} npx fastify start ${outputText(entry, root)}`
    : `node ${flagsText([...packages, quoted(preload)])} ${programText(entry, root, start)}`
  // An application runs in the folder of its package.json: so the build has read it.
  const folder = relative(process.cwd(), root)
  return `Start the application with\n  ${folder === '' ? '' : `cd ${quoted(folder)} && `}${command}`
}

function flagsText(preloads: readonly string[]): string {
  return preloads.map((one) => `--import ${one}`).join(' ')
}

/** Whether fastify-cli is there, which starts plugins. */
function dependsOnCli(root: string): boolean {
  const { dependencies, devDependencies } = packageJson(root)
  return 'fastify-cli' in { ...dependencies, ...devDependencies }
}

interface PackageJson {
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly scripts?: Readonly<Record<string, string>>
}

function packageJson(root: string): PackageJson {
  const file = join(root, 'package.json')
  return isFile(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PackageJson) : {}
}

/** What Node is given: a file, or what is known of it in angle brackets. */
function programText(entry: string, root: string, start: Manifest['start']): string {
  return start.kind === 'itself'
    ? outputText(entry, root)
    : (starterOf(entry, root) ?? `<the file that starts ${basename(entry)}>`)
}

/** What the script `start` runs: an application that starts itself is not asked for here. */
function starterOf(entry: string, root: string): string | undefined {
  const { scripts = {} } = packageJson(root)
  const program = outputText(entry, root)
  const named = filesIn(scripts['start'] ?? '').find(
    (file) => quoted(relative('.', file)) !== program,
  )
  return named === undefined ? undefined : quoted(named)
}

/** What runs: TypeScript is compiled before. */
function outputText(entry: string, root: string): string {
  if (!/\.[cm]?tsx?$/.test(entry)) return quoted(relative(root, entry))
  const output = new CompilerOptions(new SourceFiles()).outputOf(entry)
  return output === undefined
    ? `<${basename(entry).replace(/tsx?$/, 'js')}>`
    : quoted(relative(root, output))
}

/** Without dots in front it would be the name of a package. */
function relativeModule(from: string, to: string): string {
  const path = relative(from, to)
  return /^\.\.[\\/]/.test(path) ? path : `./${path}`
}

/** As NODE_OPTIONS takes it. */
function nodeQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `"${path.replaceAll(/["\\]/g, '\\$&')}"`
}
