import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { packageJsonIn } from '../util/package-json.ts'
import { packageFolderOf, packageNameIn } from '../util/paths.ts'
import { runtimeFolder } from './runtime-folder.ts'

/** A package that is copied instead of bundled. */
export interface ExternalPackage {
  readonly name: string
  /** Its real folder. */
  readonly folder: string
}

/** Decides which packages stay out of the bundle: the given ones, and those with native binaries. */
export class ExternalPackages {
  /** Packages found so far, by name. */
  readonly packages: Map<string, ExternalPackage> = new Map()
  /** Packages that `add` couldn't find, with the modules that load them. */
  readonly missing: Map<string, string> = new Map()
  readonly #requested: readonly string[]
  readonly #decisions = new Map<string, boolean>()

  /**
   * @param requested are copied even if nothing imports them
   * @param root of the application
   */
  constructor(requested: readonly string[], root: string) {
    this.#requested = requested
    for (const name of requested) {
      const folder = folderOf(name, root) ?? folderOf(name, runtimeFolder())
      if (folder !== undefined) this.packages.set(name, { name, folder })
    }
  }

  /** Checks whether `file`, to which `specifier` resolves, belongs to such a package. */
  includes(file: string, specifier: string): boolean {
    // Only names can be imported from the deployment's node_modules.
    if (/^[./#]/.test(specifier)) return false
    const name = packageNameIn(specifier)
    const linked = this.#requested.includes(name) ? this.packages.get(name)?.folder : undefined
    // Packages of the workspace are linked from node_modules, and their files are elsewhere.
    const folder =
      packageFolderOf(file) ?? (linked && file.startsWith(linked + path.sep) ? linked : undefined)
    if (folder === undefined) return false
    let isExternal = this.#decisions.get(folder)
    if (isExternal === undefined) {
      isExternal = this.#requested.includes(name) || loadsBinary(folder)
      this.#decisions.set(folder, isExternal)
    }
    if (isExternal) this.packages.set(name, { name, folder })
    return isExternal
  }

  /**
   * Adds a package that `importer` loads by a name that the bundler can't see, as pino does with transports. Returns `undefined` if
   * there is none.
   */
  add(specifier: string, importer: string): ExternalPackage | undefined {
    const name = packageNameIn(specifier)
    if (/^[./]|:/.test(name)) return undefined
    if (!this.packages.has(name)) {
      const folder = folderOf(name, path.dirname(importer))
      if (folder === undefined) this.missing.set(name, importer)
      else this.packages.set(name, { name, folder })
    }
    return this.packages.get(name)
  }
}

/** Finds the real folder of an installed package, as seen from the folder `from`. */
export function folderOf(name: string, from: string): string | undefined {
  // With a slash, the name isn't that of a built-in module.
  const found = (createRequire(path.join(from, 'package.json')).resolve.paths(`${name}/`) ?? [])
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(path.join(candidate, 'package.json')))
  return found && realpathSync(found)
}

/** Packages that locate or download native binaries of the packages that depend on them. */
const binaryLoaders = [
  '@mapbox/node-pre-gyp',
  'bindings',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'prebuild-install',
]

/** Checks for native binaries, which can't be bundled. */
function loadsBinary(folder: string): boolean {
  const {
    gypfile,
    binary,
    napi,
    dependencies = {},
    optionalDependencies = {},
  } = packageJsonIn(folder)
  return (
    gypfile === true ||
    binary !== undefined ||
    napi !== undefined ||
    binaryLoaders.some((name) => name in dependencies) ||
    Object.keys(optionalDependencies).some((name) => /[-/](?:linux|darwin|win32)-/.test(name)) ||
    ['binding.gyp', 'prebuilds'].some((name) => existsSync(path.join(folder, name))) ||
    readdirSync(folder).some((name) => name.endsWith('.node'))
  )
}
