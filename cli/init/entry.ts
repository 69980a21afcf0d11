/** Finds the entry of a package, which creates its application, and the module that starts it. */
import { readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { globSync } from './on-use.ts'
import { CompilerOptions } from '../../compiler/util/modules/compiler-options.ts'
import { importsIn } from '../../compiler/servers/imports.ts'
import { isFile } from '../../compiler/util/paths.ts'
import { SourceFiles } from '../../compiler/util/source-files.ts'
import type { PackageJson } from './package-json.ts'
import { filesIn } from './scripts.ts'

/** Usual names of entries. */
const usualNames = ['server', 'main', 'app', 'index'].flatMap((name) =>
  ['src/', ''].flatMap((folder) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${folder}${name}.${extension}`),
  ),
)

/**
 * Finds the entry: a file that the scripts run, `main`, or a file with a usual name that mentions a server. Compiled files are
 * traced back to their source.
 */
export function entryOf(
  folder: string,
  { scripts = {}, main }: { readonly scripts?: PackageJson['scripts']; readonly main?: unknown },
): string | undefined {
  const { start, dev } = scripts
  const groups = [filesIn(start ?? ''), filesIn(dev ?? ''), typeof main === 'string' ? [main] : []]
  const sources = new Map<string, string>()
  for (const file of sourcesIn(folder)) {
    const output = /\.[cm]?tsx?$/.test(file) ? outputOf(folder, file) : undefined
    if (output !== undefined) sources.set(output, file)
  }
  const mentionsServer = (file: string): boolean =>
    /\b(?:fastify|framework)\b/.test(readFileSync(join(folder, file), 'utf8'))
  for (const names of groups) {
    const found = names.flatMap((name) => {
      const file = relative(folder, join(folder, name))
      const source = sources.get(file) ?? file
      return isFile(join(folder, source)) ? [source] : []
    })
    // A script may run something else before, such as a migration.
    const entry = found.find(mentionsServer) ?? found[0]
    if (entry !== undefined) return entry
  }
  return usualNames.find((file) => isFile(join(folder, file)) && mentionsServer(file))
}

/** Returns the file that runs: the compiled output of a TypeScript entry, else the entry. */
export function programOf(folder: string, entry: string): string {
  return (/\.[cm]?tsx?$/.test(entry) ? outputOf(folder, entry) : undefined) ?? entry
}

function outputOf(folder: string, source: string): string | undefined {
  const output = new CompilerOptions(new SourceFiles()).outputOf(join(folder, source))
  return output === undefined ? undefined : relative(folder, output)
}

/** Lists the package's source modules. */
export function sourcesIn(folder: string): readonly string[] {
  return globSync('**/*.{js,mjs,cjs,ts,mts,cts}', {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/dist/**', '**/build/**', '**/coverage/**', '**/*.d.ts'],
  }).sort()
}

/** Finds the module that already starts the application: it imports the entry and listens. Modules beside the entry come first. */
export function starterIn(folder: string, entry: string): string | undefined {
  const sources = sourcesIn(folder)
  const isBeside = (file: string): boolean => posix.dirname(file) === posix.dirname(entry)
  const nearest = [...sources.filter(isBeside), ...sources.filter((one) => !isBeside(one))]
  return nearest.find((file) => {
    if (file === entry || /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\./.test(file))
      return false
    const text = readFileSync(join(folder, file), 'utf8')
    return (
      /\.listen\s*\(/.test(text) &&
      importsIn(text).some((one) => isImportOf(one.specifier, file, entry))
    )
  })
}

function isImportOf(specifier: string, importer: string, entry: string): boolean {
  const stem = (file: string): string => file.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  const isRelative = specifier.startsWith('.')
  return (
    isRelative && relative(stem(posix.join(posix.dirname(importer), specifier)), stem(entry)) === ''
  )
}
