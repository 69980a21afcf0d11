import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRootOf } from '../../util/paths.ts'

/** What a module means by a name; `undefined` for what is not there. */
type Find = (specifier: string, importer: string, isRequire: boolean) => string | undefined

/** What package.json says of browsers: a file in the place of `main`, or files and names by files and names; `false` for none. */
interface Manifest {
  readonly browser?: string | Readonly<Record<string, string | false>>
  readonly exports?: unknown
  readonly main?: string
}

/**
 * Finds modules as bundlers for browsers do: packages say in their field `browser` what is to be taken in the place of their own
 * files, and of what they import.
 *
 * @param nothing gives the module for what is left out
 */
export function createBrowserField(find: Find, nothing: (name: string) => string): Find {
  const manifests = new Map<string, Manifest>()
  return (specifier, importer, isRequire) => {
    const isName = !/^\.{0,2}\//.test(specifier)
    const named = isName ? instead(specifier, importer) : undefined
    if (named === false) return nothing(specifier)
    const found = find(named ?? specifier, importer, isRequire)
    if (found === undefined) return undefined
    const other = insteadOfFile(found)
    return other === false ? nothing(specifier) : other
  }

  /** What a package imports in the place of another one: a name, or a file of its own. */
  function instead(name: string, importer: string): string | false | undefined {
    const root = packageRootOf(importer)
    if (root === undefined) return undefined
    const { browser } = manifestOf(root)
    const target = typeof browser === 'object' ? browser[name] : undefined
    return typeof target === 'string' && target.startsWith('.') ? path.join(root, target) : target
  }

  function insteadOfFile(file: string): string | false {
    const root = packageRootOf(file)
    if (root === undefined) return file
    const { browser, exports, main = 'index.js' } = manifestOf(root)
    if (browser === undefined) return file
    if (typeof browser === 'string') {
      // Where there are `exports`, their condition says it.
      const isMain =
        exports === undefined &&
        path.join(root, main).replace(/\.js$/, '') === file.replace(/\.js$/, '')
      return isMain ? path.join(root, browser) : file
    }
    const name = `./${path.relative(root, file).replaceAll('\\', '/')}`
    const target = browser[name] ?? browser[name.replace(/\.js$/, '')]
    return typeof target === 'string' ? path.join(root, target) : (target ?? file)
  }

  function manifestOf(root: string): Manifest {
    let manifest = manifests.get(root)
    if (manifest === undefined) {
      manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
      manifests.set(root, manifest)
    }
    return manifest
  }
}
