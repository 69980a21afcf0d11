import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRootOf } from './options.ts'

/** A package that this compiler uses. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The version that this compiler is made for. */
  readonly pinned: string
  /** Its package.json. */
  readonly file: string
}

/** Those that write code, or that decide what it says. */
const EMITTERS: ReadonlySet<string> = new Set([
  'ajv',
  'ajv-formats',
  'esbuild',
  'fast-json-stringify',
  'fast-uri',
])

const COMPILERS: ReadonlySet<string> = new Set(['ajv', 'ajv-formats', 'fast-json-stringify'])

interface PackageJson {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Every dependency of this package as it is found from here; without what is not installed. */
export function installedPackages(): readonly InstalledPackage[] {
  const here = fileURLToPath(import.meta.url)
  const own = readJson(join(packageRootOf(here) as string, 'package.json'))
  return Object.entries(own.dependencies).flatMap(([name, pinned]) => {
    const file = findUpwards(dirname(here), join('node_modules', name, 'package.json'))
    return file === undefined ? [] : [{ name, version: readJson(file).version, pinned, file }]
  })
}

/** The versions of the compilers that the manifest names. */
export function compilerVersions(): Record<string, string> {
  const compilers = installedPackages().filter(({ name }) => COMPILERS.has(name))
  return Object.fromEntries(compilers.map(({ name, version }) => [name, version]))
}

/**
 * The packages whose output goes into an artifact, and which are installed in another version than the one that
 * this compiler reads to the letter.
 */
export function wrongVersions(): readonly InstalledPackage[] {
  return installedPackages().filter(
    ({ name, version, pinned }) => EMITTERS.has(name) && version !== pinned,
  )
}

function findUpwards(from: string, path: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, path)
    if (existsSync(file)) return file
    if (folder === dirname(folder)) return undefined
  }
}

function readJson(file: string): PackageJson {
  return JSON.parse(readFileSync(file, 'utf8')) as PackageJson
}
