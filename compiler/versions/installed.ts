import { createRequire } from 'node:module'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package that this compiler uses, or that one of those uses. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** What it is asked for: the version that this compiler is made for, or the range of the package that uses it. */
  readonly wanted: string
  /** The package that uses it; `undefined` for this one. */
  readonly within: string | undefined
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
  'oxc-minify',
])

const COMPILERS: ReadonlySet<string> = new Set(['ajv', 'ajv-formats', 'fast-json-stringify'])

interface PackageJson {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Every dependency of this package; without what is not installed. */
function ownPackages(): readonly InstalledPackage[] {
  const manifest = createRequire(import.meta.url).resolve('@framework/compiler/package.json')
  return findAll(readJson(manifest).dependencies, dirname(manifest))
}

/** Every dependency of this package, and all that the compilers use themselves, each as often as it is installed. */
export function installedPackages(): readonly InstalledPackage[] {
  const own = ownPackages()
  const found = new Map<string, InstalledPackage>()
  for (const one of own) if (COMPILERS.has(one.name)) addUsed(one)
  return [...own, ...found.values()]

  function addUsed({ name, file }: InstalledPackage): void {
    const real = realpathSync(file)
    for (const one of findAll(readJson(real).dependencies, dirname(real), name)) {
      if (found.has(one.file)) continue
      found.set(one.file, one)
      addUsed(one)
    }
  }
}

function findAll(
  wanted: PackageJson['dependencies'] = {},
  from: string,
  within?: string,
): InstalledPackage[] {
  return Object.entries(wanted).flatMap(([name, range]) => {
    const file = findUpwards(from, join('node_modules', name, 'package.json'))
    if (file === undefined) return []
    return [{ name, version: readJson(file).version, wanted: range, within, file }]
  })
}

/** The versions of the compilers that the manifest names. */
export function compilerVersions(): Record<string, string> {
  const compilers = ownPackages().filter(({ name }) => COMPILERS.has(name))
  return Object.fromEntries(compilers.map(({ name, version }) => [name, version]))
}

/**
 * The packages whose output goes into an artifact, and which are installed in another version than the one that
 * this compiler reads to the letter. What they use themselves may be anything in the ranges that they ask for, as with
 * any package: none of it writes code.
 */
export function wrongVersions(): readonly InstalledPackage[] {
  return ownPackages().filter(
    ({ name, version, wanted }) => EMITTERS.has(name) && version !== wanted,
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
