import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { runtimeFolder } from './runtime-folder.ts'

/** A package that is not bundled, but copied. */
export interface OutsidePackage {
  readonly name: string
  /** Its real folder. */
  readonly folder: string
}

/** The packages that stay outside of the bundle. */
export interface Outside {
  readonly packages: ReadonlyMap<string, OutsidePackage>
  /** Whether `file`, which `specifier` leads to, belongs to such a package. */
  takes(file: string, specifier: string): boolean
}

/**
 * @param asked names of packages that are to stay outside: some are loaded by their names alone
 * @param root of the application
 */
export function createOutside(asked: readonly string[], root: string): Outside {
  const packages = new Map<string, OutsidePackage>()
  for (const name of asked) {
    const folder = folderOf(name, root) ?? folderOf(name, runtimeFolder())
    if (folder !== undefined) packages.set(name, { name, folder })
  }
  const verdicts = new Map<string, boolean>()
  return {
    packages,
    takes(file, specifier) {
      const folder = installedFolder(file)
      if (folder === undefined) return false
      // A path inside of a package that another one is loaded by cannot be written as a name.
      if (/^\.|^\//.test(specifier) || specifier.startsWith('#')) return false
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
      let verdict = verdicts.get(folder)
      if (verdict === undefined) {
        verdict = asked.includes(name) || needsItsFiles(folder)
        verdicts.set(folder, verdict)
      }
      if (verdict) packages.set(name, { name, folder })
      return verdict
    },
  }
}

/** Where a package is installed, as seen from `from`. */
export function folderOf(name: string, from: string): string | undefined {
  return (createRequire(path.join(from, 'package.json')).resolve.paths(name) ?? [])
    .map((modules) => path.join(modules, name))
    .find((candidate) => existsSync(path.join(candidate, 'package.json')))
}

/** The folder of an installed package that a file lies in. */
export function installedFolder(file: string): string | undefined {
  const mark = `${path.sep}node_modules${path.sep}`
  const at = file.lastIndexOf(mark)
  if (at === -1) return undefined
  const start = at + mark.length
  const parts = file.slice(start).split(path.sep)
  return file.slice(0, start) + parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join(path.sep)
}

/** Packages that find their binaries by themselves. */
const binaryLoaders = [
  '@mapbox/node-pre-gyp',
  'bindings',
  'node-gyp-build',
  'node-gyp-build-optional-packages',
  'prebuild-install',
]

interface PackageManifest {
  readonly gypfile?: boolean
  readonly binary?: unknown
  readonly napi?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Whether a package loads a binary, which no bundle can hold. */
function needsItsFiles(folder: string): boolean {
  const manifest = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as PackageManifest
  const { gypfile, binary, napi, dependencies = {}, optionalDependencies = {} } = manifest
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
