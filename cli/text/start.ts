import { basename, relative } from 'node:path'
import { CompilerOptions } from '../../compiler/1-scan/modules/compiler-options.ts'
import type { Manifest } from '../../compiler/5-bundle/manifest.ts'
import { preloadsOf } from '../preloads.ts'
import type { ResolvedOptions } from '../../compiler/model.ts'
import { SourceFiles } from '../../compiler/source-files.ts'

/** How the application is started with its artifact, from the folder where the command was called. */
export function startText(
  { entry, out, root }: Pick<ResolvedOptions, 'entry' | 'out' | 'root'>,
  manifest: Pick<Manifest, 'start' | 'line'>,
): string {
  const { packages, file } = preloadsOf({ entry, out }, manifest)
  const flags = [...packages, quoted(relativeModule(root, file))].map((one) => `--import ${one}`)
  const line = `node ${flags.join(' ')} ${programText(entry, root, manifest.start)}`
  // An application runs in the folder of its package.json: so the build has read it.
  const folder = relative(process.cwd(), root)
  return `Start the application with\n  ${folder === '' ? '' : `cd ${quoted(folder)} && `}${line}`
}

/** What Node is given: a file, or what is known of it in angle brackets. */
function programText(entry: string, root: string, start: Manifest['start']): string {
  const name = basename(entry)
  if (start.kind !== 'itself') return `<the file that starts ${name}>`
  if (!/\.[cm]?tsx?$/.test(entry)) return quoted(relative(root, entry))
  const output = new CompilerOptions(new SourceFiles()).outputOf(entry)
  return output === undefined ? `<${name.replace(/tsx?$/, 'js')}>` : quoted(relative(root, output))
}

/** Without dots in front it would be the name of a package. */
function relativeModule(from: string, to: string): string {
  const path = relative(from, to)
  return /^\.\.[\\/]/.test(path) ? path : `./${path}`
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
