/** The packages that the compiler is made of, and checks of the versions that are installed. */
import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { OnDiagnostic } from '../model/index.ts'
import { diagnostic, messages } from '../report/errors.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { displayPath, nearestFolder } from '../util/paths.ts'

/** A direct or indirect dependency of the compiler. */
interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** The version or range in the package.json of the package that depends on it. */
  readonly required: string
  /** The package that depends on it. `undefined` for the compiler. */
  readonly dependent: string | undefined
  readonly folder: string
}

/** Packages that affect generated code. */
const EMITTERS: ReadonlySet<string> = new Set(
  'ajv ajv-formats esbuild fast-json-stringify oxc-minify'.split(' '),
)

/** Packages that compile schemas. The manifest lists them. */
const COMPILERS: ReadonlySet<string> = new Set(['ajv', 'ajv-formats', 'fast-json-stringify'])

function directDependencies(): readonly InstalledPackage[] {
  const packageJson = createRequire(import.meta.url).resolve('@framework/compiler/package.json')
  return dependenciesOf(dirname(packageJson))
}

/** Lists the dependencies of the compiler, and those of Ajv, ajv-formats and fast-json-stringify, indirect ones included. */
export function installedPackages(): readonly InstalledPackage[] {
  const direct = directDependencies()
  const indirect = new Map<string, InstalledPackage>()
  for (const one of direct) if (COMPILERS.has(one.name)) addUsed(one)
  return [...direct, ...indirect.values()]

  function addUsed({ name, folder }: InstalledPackage): void {
    // pnpm links packages: their dependencies are beside the real folder.
    for (const one of dependenciesOf(realpathSync(folder), name)) {
      if (indirect.has(one.folder)) continue
      indirect.set(one.folder, one)
      addUsed(one)
    }
  }
}

function dependenciesOf(dependentFolder: string, dependent?: string): InstalledPackage[] {
  const { dependencies = {} } = packageJsonIn(dependentFolder)
  return Object.entries(dependencies).flatMap(([name, required]) => {
    const path = join('node_modules', name)
    const root = nearestFolder(dependentFolder, path)
    if (root === undefined) return []
    const folder = join(root, path)
    return [{ name, version: packageJsonIn(folder).version ?? '', required, dependent, folder }]
  })
}

/** Returns the versions for the manifest. */
export function compilerVersions(): Record<string, string> {
  const compilers = directDependencies().filter(({ name }) => COMPILERS.has(name))
  return Object.fromEntries(compilers.map(({ name, version }) => [name, version]))
}

/**
 * Lists packages that affect generated code and are installed in another version than the compiler's exact one. Their own dependencies
 * don't write code, so any version in their ranges is accepted.
 */
export function wrongVersions(): readonly InstalledPackage[] {
  return directDependencies().filter(
    ({ name, version, required }) => EMITTERS.has(name) && version !== required,
  )
}

/** Reports packages in versions that the compiler wasn't tested with. It depends on exactly what they return. */
export function reportWrongVersions(root: string, report: OnDiagnostic): void {
  for (const wrong of wrongVersions()) {
    const file = join(wrong.folder, 'package.json')
    const text = readFileSync(file, 'utf8')
    const lines = text.slice(0, Math.max(0, text.indexOf('"version"'))).split('\n')
    const at = {
      file: displayPath(file, root),
      line: lines.length,
      column: (lines.at(-1) as string).length + 1,
      length: '"version"'.length,
    }
    report(diagnostic('AOT_COMPILER_VERSION', at, ...describeWrong(wrong)))
  }
}

/** Throws an Error about the first wrong version, for callers without an `OnDiagnostic`. */
export function refuseWrongVersions(): void {
  const [wrong] = wrongVersions()
  if (wrong !== undefined) throw new Error(messages.AOT_COMPILER_VERSION(...describeWrong(wrong)))
}

function describeWrong({
  name,
  version,
  required,
}: InstalledPackage): [name: string, version: string, required: string] {
  return [name, version, `${name}@${required}`]
}
