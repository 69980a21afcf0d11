/** Finds the entry of a package: what creates its application, or starts it. */
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import { isFile } from '../util/paths.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { PackageJson } from './package-json.ts'
import { filesIn } from './scripts.ts'
import { sourcesIn } from './sources.ts'

/** Usual names of entries. */
const usual = ['server', 'main', 'app', 'index'].flatMap((name) =>
  ['src/', ''].flatMap((place) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((kind) => `${place}${name}.${kind}`),
  ),
)

/**
 * Finds the entry: a file that the scripts run, `main`, or a file with a usual name. Compiled files are
 * traced back to their source.
 */
export function entryOf(
  folder: string,
  { scripts = {}, main }: { readonly scripts?: PackageJson['scripts']; readonly main?: unknown },
): string | undefined {
  const { start, dev } = scripts
  const named = [
    ...filesIn(start ?? ''),
    ...filesIn(dev ?? ''),
    ...(typeof main === 'string' ? [main] : []),
  ]
  const sources = new Map<string, string>()
  for (const file of sourcesIn(folder)) {
    const output = /\.[cm]?tsx?$/.test(file) ? outputOf(folder, file) : undefined
    if (output !== undefined) sources.set(output, file)
  }
  for (const name of named) {
    const file = relative(folder, join(folder, name))
    const source = sources.get(file)
    if (source !== undefined) return source
    if (isFile(join(folder, file))) return file
  }
  const mention = /\b(?:fastify|framework)\b/
  return usual.find(
    (file) => isFile(join(folder, file)) && mention.test(readFileSync(join(folder, file), 'utf8')),
  )
}

export function programOf(folder: string, entry: string): string {
  return (/\.[cm]?tsx?$/.test(entry) ? outputOf(folder, entry) : undefined) ?? entry
}

function outputOf(folder: string, source: string): string | undefined {
  const output = new CompilerOptions(new SourceFiles()).outputOf(join(folder, source))
  return output === undefined ? undefined : relative(folder, output)
}
