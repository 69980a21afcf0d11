/** Finds the modules of a project, and the one that starts an application exported by another. */
import { readdirSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { globSync } from 'tinyglobby'
import { importsIn } from '../server/imports.ts'
import { isFile } from '../util/paths.ts'

/** Lists the package's own source modules. */
export function sourcesIn(folder: string): readonly string[] {
  return globSync('**/*.{js,mjs,cjs,ts,mts,cts}', {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/dist/**', '**/build/**', '**/coverage/**', '**/*.d.ts'],
  }).sort()
}

/**
 * Lists the modules in the folder itself and beside `file`. Listing all of them takes long in large projects.
 */
export function sourcesBeside(folder: string, file: string): readonly string[] {
  const folders = new Set(['', file.slice(0, file.lastIndexOf('/') + 1)])
  return [...folders].flatMap((inner) =>
    readdirSync(join(folder, inner))
      .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.d\.[cm]?ts$/.test(name))
      .map((name) => `${inner}${name}`)
      .filter((one) => isFile(join(folder, one)))
      .sort(),
  )
}

/** Finds the module that imports the entry and listens, because it already starts the application. */
export function starterIn(
  sources: readonly string[],
  entry: string,
  read: (file: string) => string,
): string | undefined {
  return sources.find((file) => {
    if (file === entry || /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\./.test(file))
      return false
    const text = read(file)
    return (
      /\.listen\s*\(/.test(text) &&
      importsIn(text).some((one) => isMeant(one.specifier, file, entry))
    )
  })
}

function isMeant(specifier: string, importer: string, entry: string): boolean {
  const stem = (file: string): string => file.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  const isRelative = specifier.startsWith('.')
  return (
    isRelative && relative(stem(posix.join(posix.dirname(importer), specifier)), stem(entry)) === ''
  )
}
