/** Inspects a project by reading its files, without running any of them. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { detect } from 'package-manager-detector/detect'
import { CompilerOptions } from '../1-scan/modules/compiler-options.ts'
import { isFile } from '../util/paths.ts'
import { SourceFiles } from '../util/source-files.ts'
import { importsValueOf } from '../server/imports.ts'
import type { Fastify } from '../server/index.ts'
import { fastifyFor } from '../server/index.ts'
import type { PackageJson } from './package-json.ts'
import { filesIn } from './scripts.ts'
import { sourcesIn } from './sources.ts'

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof packageManagers)[number]

export interface Found {
  readonly packageManager: PackageManager
  /** True if the package belongs to a workspace. */
  readonly isMember: boolean
  /** The Fastify that the project depends on; undefined if there is none, or an alias replaces it. */
  readonly fastify: Fastify | undefined
  /** The version of this package that is installed as `fastify`, as package.json has it. */
  readonly standsIn: string | undefined
  /** True if a module imports this package. */
  readonly importsFramework: boolean
  /** True if a module imports Fastify, which isn't listed under any name. */
  readonly lacksFastify: boolean
  readonly language: 'TypeScript' | 'JavaScript'
  readonly modules: 'ES modules' | 'CommonJS'
  readonly bundlers: readonly string[]
  readonly testRunners: readonly string[]
  /** Programs that run TypeScript without compiling it. */
  readonly runners: readonly string[]
  /** The file that creates the application, or else starts it. Relative to the package. */
  readonly entry: string | undefined
  /** The file that creates the application, if the entry only starts it. */
  readonly application?: string | undefined
  /** The file that runs: the entry or its compiled output. */
  readonly program: string | undefined
  /** True if the entry calls `listen`. */
  readonly listens: boolean
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

/** @param given absolute path of the entry that the user named */
export async function findOut(
  folder: string,
  manifest: PackageJson,
  given: string | undefined,
): Promise<Found> {
  const all = manifest.allDependencies
  const named = (names: readonly string[]): readonly string[] => names.filter((name) => name in all)
  const agent = await detect({ cwd: folder })
  const entry = given === undefined ? entryOf(folder, manifest) : relative(folder, given)
  const text = entry === undefined ? '' : readFileSync(join(folder, entry), 'utf8')
  const isTyped = /\.[cm]?tsx?$/.test(entry ?? '') || existsSync(join(folder, 'tsconfig.json'))
  const fastify = fastifyFor(join(folder, 'package.json'), manifest)
  const isListed = 'fastify' in all
  const isOurs = fastify?.line === 'framework'
  const usesNodeTest = Object.values(manifest.scripts).some((one) =>
    /\bnode\b.*\s--test\b/.test(one),
  )
  const sources = sourcesIn(folder).map((file) => read(folder, file))
  return {
    packageManager: packageManagers.find((name) => name === agent?.name) ?? 'npm',
    isMember: isMember(folder),
    fastify: isListed && !isOurs ? fastify : undefined,
    standsIn: isListed && isOurs ? all['fastify'] : undefined,
    importsFramework: sources.some((text) => importsValueOf(text, 'framework')),
    lacksFastify: fastify === undefined && sources.some((text) => importsValueOf(text, 'fastify')),
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

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

function modulesOf(entry: string | undefined, { type }: PackageJson): Found['modules'] {
  if (/\.m[jt]s$/.test(entry ?? '')) return 'ES modules'
  if (/\.c[jt]s$/.test(entry ?? '')) return 'CommonJS'
  return type === 'module' ? 'ES modules' : 'CommonJS'
}

/** Returns true if a package.json in a folder above declares a workspace. */
function isMember(folder: string): boolean {
  for (let at = dirname(folder); at !== dirname(at); at = dirname(at)) {
    if (isFile(join(at, 'pnpm-workspace.yaml'))) return true
    const file = join(at, 'package.json')
    if (isFile(file) && /"workspaces"\s*:/.test(readFileSync(file, 'utf8'))) return true
  }
  return false
}

/** Usual names of entries. */
const usual = ['server', 'main', 'app', 'index'].flatMap((name) =>
  ['src/', ''].flatMap((place) =>
    ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((kind) => `${place}${name}.${kind}`),
  ),
)

/**
 * Finds the entry: a file that the scripts run, `main`, or a file with a usual name. Compiled files are
 * traced back to their source.
 */
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
