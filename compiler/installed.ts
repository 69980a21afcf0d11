import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRootOf } from './options.ts'

/** A package that this compiler uses. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The version that this compiler is made for. */
  readonly pinned: string
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
])

const COMPILERS: ReadonlySet<string> = new Set(['ajv', 'ajv-formats', 'fast-json-stringify'])

/**
 * What these use themselves, as far as it decides what they generate. They ask for ranges, of which this compiler was
 * tested with these versions.
 */
export const USED_WITHIN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ajv: { 'json-schema-traverse': '1.0.0' },
  'fast-json-stringify': {
    '@fastify/merge-json-schemas': '0.2.2',
    ajv: '8.20.0',
    'ajv-formats': '3.0.1',
    'fast-uri': '4.2.3',
    'json-schema-ref-resolver': '3.0.1',
    rfdc: '1.4.1',
  },
}

interface PackageJson {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** Every dependency of this package, and what they use within; without what is not installed. */
export function installedPackages(): readonly InstalledPackage[] {
  const here = fileURLToPath(import.meta.url)
  const { dependencies } = readJson(join(packageRootOf(here) as string, 'package.json'))
  const own = findAll(dependencies, dirname(here))
  const used = own.flatMap(({ name, file }) =>
    findAll(USED_WITHIN[name] ?? {}, dirname(realpathSync(file)), name),
  )
  return [...own, ...used]
}

function findAll(
  versions: Readonly<Record<string, string>>,
  from: string,
  within?: string,
): InstalledPackage[] {
  return Object.entries(versions).flatMap(([name, pinned]) => {
    const file = findUpwards(from, join('node_modules', name, 'package.json'))
    if (file === undefined) return []
    return [{ name, version: readJson(file).version, pinned, within, file }]
  })
}

/** The versions of the compilers that the manifest names. */
export function compilerVersions(): Record<string, string> {
  const compilers = installedPackages().filter(
    ({ name, within }) => within === undefined && COMPILERS.has(name),
  )
  return Object.fromEntries(compilers.map(({ name, version }) => [name, version]))
}

/**
 * The packages whose output goes into an artifact, and which are installed in another version than the one that
 * this compiler reads to the letter.
 */
export function wrongVersions(): readonly InstalledPackage[] {
  return installedPackages().filter(
    ({ name, version, pinned, within }) =>
      (within !== undefined || EMITTERS.has(name)) && version !== pinned,
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
