/** Inspects a project by reading its files, without running any of them. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { detect } from 'package-manager-detector/detect'
import { importsIn, importsValueOf } from '../../compiler/servers/imports.ts'
import type { Fastify } from '../../compiler/servers/detect.ts'
import { fastifyFor } from '../../compiler/servers/detect.ts'
import { readPackageJson, type PackageJson } from './package-json.ts'
import { entryOf, programOf, sourcesIn } from './entry.ts'
import { runsNodeTest, runsProgram } from './scripts.ts'
import { workspaceAbove } from './workspace.ts'

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof packageManagers)[number]

export interface ProjectInfo {
  readonly packageManager: PackageManager
  /** True if the package belongs to a workspace. */
  readonly isMember: boolean
  /** The Fastify that the project uses. Undefined if it uses none or has `alias` in its place. */
  readonly fastify: Fastify | undefined
  /** The version of this package, if it is installed by the name `fastify`: as in package.json, else the installed one. */
  readonly alias: string | undefined
  /** True if a module mentions schemas. */
  readonly hasSchemas: boolean
  /** True if a module imports this package, and not only its types. */
  readonly importsFramework: boolean
  /** True if a module imports `fastify`, and not only its types. */
  readonly importsFastify: boolean
  /** True if a module imports another with its TypeScript extension. */
  readonly importsTypeScript: boolean
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

/** Test runners that load modules themselves, and so need entries in their own configuration. */
export const configuredRunners: Readonly<Record<string, string>> = {
  vitest: 'Vitest',
  jest: 'Jest',
}

/** @param given absolute path of the entry that the user named */
export async function inspectProject(
  folder: string,
  packageJson: PackageJson,
  given: string | undefined,
): Promise<ProjectInfo> {
  const all = packageJson.allDependencies
  const named = (names: readonly string[]): readonly string[] => names.filter((name) => name in all)
  const agent = await detect({ cwd: folder })
  const entry = given === undefined ? entryOf(folder, packageJson) : relative(folder, given)
  const text = entry === undefined ? '' : readFileSync(join(folder, entry), 'utf8')
  const isTyped = /\.[cm]?tsx?$/.test(entry ?? '') || existsSync(join(folder, 'tsconfig.json'))
  const fastify = fastifyFor(join(folder, 'package.json'), packageJson)
  const scripts = Object.values(packageJson.scripts)
  const workspace = workspaceAbove(folder)
  const inWorkspace = workspace === undefined ? undefined : readPackageJson(workspace)
  // The root of a workspace may install the runner for all packages, and `npx` installs what no package lists.
  const tests = testRunners.filter(
    (name) =>
      name in all ||
      (inWorkspace !== undefined && 'text' in inWorkspace && name in inWorkspace.allDependencies) ||
      scripts.some((script) => runsProgram(script, name)),
  )
  const sources = sourcesIn(folder).map((file) => read(folder, file))
  const imports = (name: string): boolean => sources.some((text) => importsValueOf(text, name))
  const importsFastify = imports('fastify')
  // The package.json of another package in the workspace may list it.
  const isUsed = 'fastify' in all || importsFastify
  const alias = fastify?.isOurs === true ? (all['fastify'] ?? fastify.version) : undefined
  return {
    packageManager: packageManagers.find((name) => name === agent?.name) ?? 'npm',
    isMember: workspace !== undefined,
    fastify: isUsed && alias === undefined ? fastify : undefined,
    alias: isUsed ? alias : undefined,
    hasSchemas: sources.some((text) => /schema/i.test(text)),
    importsFramework: imports('framework') || imports('framework/5'),
    importsFastify,
    importsTypeScript: sources.some((text) =>
      importsIn(text).some(({ specifier }) => /^\..*\.[cm]?tsx?$/.test(specifier)),
    ),
    language: isTyped ? 'TypeScript' : 'JavaScript',
    modules: modulesOf(entry, packageJson),
    bundlers: named(bundlers),
    testRunners: [...tests, ...(scripts.some(runsNodeTest) ? ['node:test'] : [])],
    runners: named(runners),
    entry,
    program: entry === undefined ? undefined : programOf(folder, entry),
    listens: /\.listen\s*\(/.test(text),
  }
}

function read(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

function modulesOf(entry: string | undefined, { type }: PackageJson): ProjectInfo['modules'] {
  if (/\.m[jt]s$/.test(entry ?? '')) return 'ES modules'
  if (/\.c[jt]s$/.test(entry ?? '')) return 'CommonJS'
  return type === 'module' ? 'ES modules' : 'CommonJS'
}
