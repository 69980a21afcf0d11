import { createRequire } from 'node:module'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A direct or indirect dependency of the compiler. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The version or range in the package.json of its user. */
  readonly wanted: string
  /** The name of its user. `undefined` for the compiler. */
  readonly within: string | undefined
  /** Its package.json. */
  readonly file: string
}

/** Packages that affect generated code. */
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

/** Lists the installed dependencies of the compiler. */
function ownPackages(): readonly InstalledPackage[] {
  const manifest = createRequire(import.meta.url).resolve('@framework/compiler/package.json')
  return findAll(readJson(manifest).dependencies, dirname(manifest))
}

/** Lists the dependencies of the compiler, and those of Ajv, ajv-formats and fast-json-stringify, indirect ones included. */
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

/** Returns the versions for the manifest. */
export function compilerVersions(): Record<string, string> {
  const compilers = ownPackages().filter(({ name }) => COMPILERS.has(name))
  return Object.fromEntries(compilers.map(({ name, version }) => [name, version]))
}

/**
 * Lists packages that affect generated code and are installed in another version than the compiler's exact one. Their own dependencies
 * don't write code, so any version in their ranges is accepted.
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
