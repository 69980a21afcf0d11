import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { packageJsonIn } from '../util/package-json.ts'
import { packageFolderOf } from '../util/paths.ts'
import { runtimeFolder } from './runtime-folder.ts'

/** A package that is copied instead of bundled. */
export interface ExternalPackage {
  readonly name: string
  /** Its real folder. */
  readonly folder: string
}

export interface ExternalPackages {
  /** Packages found so far, by name. */
  readonly packages: ReadonlyMap<string, ExternalPackage>
  /** Checks whether `file`, to which `specifier` resolves, belongs to such a package. */
  includes(file: string, specifier: string): boolean
  /** Adds the package that `importer` loads by a name that no bundler finds. */
  add(specifier: string, importer: string): void
  /** Modules that load packages in this way which aren't installed, by name. */
  readonly missing: ReadonlyMap<string, string>
}

/**
 * Decides which packages stay out of the bundle: the given ones, and those with native binaries.
 *
 * @param requested are copied even if nothing imports them
 * @param root of the application
 */
export function createExternalPackages(
  requested: readonly string[],
  root: string,
): ExternalPackages {
  const packages = new Map<string, ExternalPackage>()
  for (const name of requested) {
    const folder = folderOf(name, root) ?? folderOf(name, runtimeFolder())
    if (folder !== undefined) packages.set(name, { name, folder })
  }
  const decisions = new Map<string, boolean>()
  const missing = new Map<string, string>()
  return {
    packages,
    includes(file, specifier) {
      const folder = packageFolderOf(file)
      if (folder === undefined) return false
      // Only names can be imported from the deployment's node_modules.
      if (/^\.|^\//.test(specifier) || specifier.startsWith('#')) return false
      const name = packageNameIn(specifier)
      let isExternal = decisions.get(folder)
      if (isExternal === undefined) {
        isExternal = requested.includes(name) || loadsBinary(folder)
        decisions.set(folder, isExternal)
      }
      if (isExternal) packages.set(name, { name, folder })
      return isExternal
    },
    missing,
    add(specifier, importer) {
      const name = packageNameIn(specifier)
      if (/^[./]|:/.test(name) || packages.has(name)) return
      const folder = folderOf(name, path.dirname(importer))
      if (folder === undefined) missing.set(name, importer)
      else packages.set(name, { name, folder })
    },
  }
}

function packageNameIn(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Finds the folder of an installed package, as seen from the folder `from`. */
export function folderOf(name: string, from: string): string | undefined {
  return (createRequire(path.join(from, 'package.json')).resolve.paths(`${name}/`) ?? [])
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(path.join(candidate, 'package.json')))
}

/** Packages that locate native binaries of the packages that depend on them. */
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
