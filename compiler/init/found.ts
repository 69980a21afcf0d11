/** What a project is made of, as its files tell: nothing of it is run. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { detect } from 'package-manager-detector/detect'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import { isFile } from '../util/paths.ts'
import { SourceFiles } from '../util/source-files.ts'
import type { PackageJson } from './package-json.ts'
import { filesIn } from './scripts.ts'
import { sourcesIn } from './sources.ts'

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof packageManagers)[number]

export interface Found {
  readonly packageManager: PackageManager
  /** Whether the package is one of a workspace. */
  readonly isMember: boolean
  /** The Fastify that it depends on; `undefined` where it depends on none, or on what stands in for it. */
  readonly fastify: FoundFastify | undefined
  /** The version of this package that stands in for Fastify, as package.json has it. */
  readonly standsIn: string | undefined
  /** Whether a module of it imports this package. */
  readonly importsFramework: boolean
  /** Whether a module of it imports Fastify, which is not there under any name. */
  readonly lacksFastify: boolean
  readonly language: 'TypeScript' | 'JavaScript'
  readonly modules: 'ES modules' | 'CommonJS'
  readonly bundlers: readonly string[]
  readonly testRunners: readonly string[]
  /** What runs TypeScript without compiling it. */
  readonly runners: readonly string[]
  /** The file that makes the application, or else starts it; relative to the package. */
  readonly entry: string | undefined
  /** The file that makes it, where the entry starts that. */
  readonly application?: string | undefined
  /** What runs: the entry, or what it is compiled to. */
  readonly program: string | undefined
  /** Whether the entry tells the application to listen. */
  readonly listens: boolean
}

export interface FoundFastify {
  /** The installed version, else the range of package.json. */
  readonly version: string
  readonly isInstalled: boolean
  /** `undefined` where neither tells. */
  readonly major: number | undefined
}

const bundlers = [
  'esbuild',
  'rollup',
  'rolldown',
  'vite',
  'webpack',
  'tsup',
  'tsdown',
  '@vercel/ncc',
  'parcel',
]
const testRunners = ['vitest', 'jest', 'mocha', 'tap', 'ava']
const runners = ['tsx', 'ts-node']

/** @param given the entry that the user names, absolute */
export async function findOut(
  folder: string,
  manifest: PackageJson,
  given: string | undefined,
): Promise<Found> {
  const all = { ...manifest.devDependencies, ...manifest.dependencies }
  const named = (names: readonly string[]): readonly string[] => names.filter((name) => name in all)
  const agent = await detect({ cwd: folder })
  const entry = given === undefined ? entryOf(folder, manifest) : relative(folder, given)
  const text = entry === undefined ? '' : readFileSync(join(folder, entry), 'utf8')
  const isTyped = /\.[cm]?tsx?$/.test(entry ?? '') || existsSync(join(folder, 'tsconfig.json'))
  const range = all['fastify']
  const isOurs = range !== undefined && isStandIn(folder, range, all['framework'])
  const usesNodeTest = Object.values(manifest.scripts).some((one) =>
    /\bnode\b.*\s--test\b/.test(one),
  )
  const sources = sourcesIn(folder).map((file) => read(folder, file))
  return {
    packageManager: packageManagers.find((name) => name === agent?.name) ?? 'npm',
    isMember: isMember(folder),
    fastify: range === undefined || isOurs ? undefined : fastifyOf(folder, range),
    standsIn: isOurs ? range : undefined,
    importsFramework: sources.some(imports('framework')),
    lacksFastify:
      range === undefined && installedIn(folder) === undefined && sources.some(imports('fastify')),
    language: isTyped ? 'TypeScript' : 'JavaScript',
    modules: modulesOf(entry, manifest),
    bundlers: named(bundlers),
    testRunners: [...named(testRunners), ...(usesNodeTest ? ['node:test'] : [])],
    runners: named(runners),
    entry,
    program: entry === undefined ? undefined : programOf(folder, entry),
    listens: /\.listen\s*\(/.test(text),
  }
}

/** More than types of a package. */
function imports(name: string): (text: string) => boolean {
  const pattern = new RegExp(
    `(?:\\bimport\\s+(?!type\\b)[\\w*{][^'";]*?\\bfrom|\\bimport|\\brequire\\s*\\(|\\bimport\\s*\\()\\s*(['"])${name}\\1`,
  )
  return (text) => pattern.test(text)
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** Whether this package is what is called Fastify: from the registry, or from the same place as by its own name. */
function isStandIn(folder: string, range: string, own: string | undefined): boolean {
  return (
    range.startsWith('npm:framework@') || range === own || installedIn(folder)?.name === 'framework'
  )
}

function fastifyOf(folder: string, range: string): FoundFastify {
  const { version } = installedIn(folder) ?? {}
  return version === undefined
    ? { version: range, isInstalled: false, major: majorOf(range) }
    : { version, isInstalled: true, major: majorOf(version) }
}

/** What is installed under the name of Fastify, here or further up. */
function installedIn(
  folder: string,
): { readonly name?: string; readonly version?: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'node_modules/fastify/package.json')
    if (isFile(file)) return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    if (at === dirname(at)) return undefined
  }
}

/** Of a version, or of the lowest one that a range allows. */
function majorOf(range: string): number | undefined {
  const [, major] = /^(?:npm:fastify@)?[\^~>=v\s]*(\d+)(?:\.|$|\s)/.exec(range) ?? []
  return major === undefined ? undefined : Number(major)
}

function modulesOf(entry: string | undefined, { type }: PackageJson): Found['modules'] {
  if (/\.m[jt]s$/.test(entry ?? '')) return 'ES modules'
  if (/\.c[jt]s$/.test(entry ?? '')) return 'CommonJS'
  return type === 'module' ? 'ES modules' : 'CommonJS'
}

/** Whether a package.json further up belongs to a workspace. */
function isMember(folder: string): boolean {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if (isFile(join(at, 'pnpm-workspace.yaml'))) return true
    const file = join(at, 'package.json')
    if (isFile(file) && /"workspaces"\s*:/.test(readFileSync(file, 'utf8'))) return true
  }
  return false
}

/** Where applications usually begin. */
const usual = ['server', 'main', 'app', 'index'].flatMap((name) =>
  ['src/', ''].flatMap((place) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((kind) => `${place}${name}.${kind}`),
  ),
)

/** What the scripts run, `main`, or a file of a usual name; of what is compiled, the source. */
function entryOf(folder: string, { scripts, main }: PackageJson): string | undefined {
  const { start, dev } = scripts
  const named = [
    ...filesIn(start ?? ''),
    ...filesIn(dev ?? ''),
    ...(main === undefined ? [] : [main]),
  ]
  const sources = new Map<string, string>()
  for (const file of sourcesIn(folder)) {
    const output = /\.[cm]?tsx?$/.test(file) ? outputOf(folder, file) : undefined
    if (output !== undefined) sources.set(output, file)
  }
  for (const name of named) {
    const file = relative(folder, join(folder, name))
    const source = sources.get(file)
    if (source !== undefined) return source
    if (isFile(join(folder, file))) return file
  }
  const mention = /\b(?:fastify|framework)\b/
  return usual.find((file) => isFile(join(folder, file)) && mention.test(read(folder, file)))
}

export function programOf(folder: string, entry: string): string {
  return (/\.[cm]?tsx?$/.test(entry) ? outputOf(folder, entry) : undefined) ?? entry
}

function outputOf(folder: string, source: string): string | undefined {
  const output = new CompilerOptions(new SourceFiles()).outputOf(join(folder, source))
  return output === undefined ? undefined : relative(folder, output)
}
