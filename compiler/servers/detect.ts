/** Decides the target of an application: the server that it runs on today. */
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifySerializing, LineName } from '../../runtime/artifact/lines.ts'
import { installedFor, isWithin, MATCHING_VERSIONS } from '../../runtime/bridge/fit.ts'
import { Resolver } from '../util/modules/resolution.ts'
import type {
  PackageImport,
  ResolvedOptions,
  Runtime,
  Serializers,
  Server,
} from '../model/index.ts'
import { nodeConditions } from '../util/node-conditions.ts'
import type { PackageJson } from '../util/package-json.ts'
import { packageJsonIn } from '../util/package-json.ts'
import { packageRootOf } from '../util/paths.ts'
import { isServerName, type ServerName } from '../util/server-name.ts'
import { isFileError, SourceFiles } from '../util/source-files.ts'
import { importsIn } from './imports.ts'

export type { Server } from '../model/index.ts'

const BY_MAJOR: Readonly<Record<string, LineName>> = { 4: 'fastify@4', 5: 'fastify@5' }

/** Returns whether a command preloads `framework/fastify`. */
export function replacesFastify(command = ''): boolean {
  return /(?<![\w./-])framework\/fastify(?![\w./-])/.test(command)
}

/**
 * Follows the imports of the entry. The nearest module that imports `framework` or `fastify` decides. A plugin may import
 * neither: then the dependencies of the package decide.
 *
 * @param root the folder of the package
 * @param isReplaced whether this package serves in place of Fastify. By default if the script `start` says so.
 */
export function detectServer(
  entry: string,
  root: string,
  isReplaced?: boolean,
): Server | undefined {
  const packageJson = packageJsonIn(root)
  const { name, importer } = nearestImport(entry) ?? {}
  const runtime: Server = { name: 'framework', line: 'framework', importer }
  if (name === 'framework') return runtime
  if (name === 'framework/5') return { name, line: 'fastify@5', importer }
  const found = fastifyFor(importer ?? entry, packageJson)
  const replaces = isReplaced ?? replacesFastify(packageJson.scripts?.['start'])
  const fastify = fastifyServer(found, importer, replaces)
  if (name === 'fastify') return fastify
  const needed = { ...packageJson.peerDependencies, ...packageJson.dependencies }
  const isListed = 'fastify' in needed
  if ('framework' in needed && !(isListed && found?.line !== undefined)) return runtime
  return isListed ? fastify : undefined
}

/** Returns the server of an application that imports `fastify`. */
function fastifyServer(
  found: Fastify | undefined,
  importer: string | undefined,
  isReplaced: boolean,
): Server {
  const { version, line, isOurs } = found ?? {}
  if (!isOurs && !isReplaced)
    return { name: `fastify ${version}`, line, importer, isMissing: found === undefined }
  const target = line === 'fastify@5' ? line : 'framework'
  return { name: runtimeFor(target), line: target, importer, ...(!isOurs && { isReplaced }) }
}

/** Returns the entry of this package for a target: Fastify 5 is replaced by its own line, other releases by the line 4.21. */
export function runtimeFor(line: LineName): Runtime {
  return line === 'fastify@5' ? 'framework/5' : 'framework'
}

/** A package that modules get as `fastify`. */
export interface Fastify {
  /** The installed version, or the range in package.json. */
  readonly version: string
  /** `undefined` for an unsupported release. */
  readonly line: LineName | undefined
  /** True if `fastify` is an alias for this package: `npm:framework@…`, or `npm:@framework/fastify@…` for Fastify 5. */
  readonly isOurs: boolean
}

/** The package with `framework/5` that has Fastify 5's version numbers, so that it can be installed as `fastify`. */
export const FASTIFY_5_ALIAS = '@framework/fastify'

/** Returns the `fastify` that a module imports: the installed one, or else the one that package.json lists. */
export function fastifyFor(
  importer: string,
  tables: Pick<PackageJson, 'dependencies' | 'devDependencies' | 'peerDependencies'>,
): Fastify | undefined {
  const installed = installedFolder(importer)
  const { name, version } = installed === undefined ? {} : packageJsonIn(installed)
  const { peerDependencies, devDependencies, dependencies } = tables
  const all = { ...peerDependencies, ...devDependencies, ...dependencies }
  const { fastify: range, framework } = all
  const release = version ?? range
  if (release === undefined) return undefined
  // `framework init` may have added the alias, and Fastify is still installed.
  const isFor5 = name === FASTIFY_5_ALIAS || range?.startsWith(`npm:${FASTIFY_5_ALIAS}@`) === true
  const isOurs =
    isFor5 ||
    name === 'framework' ||
    // Not installed yet: an alias to the registry, or the file that `framework` itself is installed from.
    (name === undefined && (release.startsWith('npm:framework@') || release === framework))
  const ours = isFor5 ? 'fastify@5' : 'framework'
  return { version: release, line: isOurs ? ours : BY_MAJOR[majorOf(release)], isOurs }
}

/** Checks whether the functions of a target can be used: by the server, or by this package in place of Fastify 4. */
export function accepts(server: Server | undefined, line: LineName): boolean {
  if (server === undefined || (line === 'framework' && server.line !== 'fastify@5')) return true
  return server.isMissing === true || server.line === line
}

/** Returns the package that creates an application that is built for a target. */
export function factoryFor(server: Server | undefined, line: LineName): Runtime | 'fastify' {
  if (line === 'framework') return line
  return server?.line === line && server.name === 'framework/5' ? 'framework/5' : 'fastify'
}

/**
 * Replaces imports of `fastify` by imports of its folder, which are followed like those of other packages, if this package serves the
 * application but doesn't replace Fastify.
 */
export function followFastify(
  packages: readonly PackageImport[],
  { server, factory, root }: ResolvedOptions,
): readonly PackageImport[] {
  const isImported = server?.name === 'framework' || server?.name === 'framework/5'
  const isReplaced = server?.isReplaced || replacesFastify(packageJsonIn(root).scripts?.['start'])
  if (!isImported || isReplaced || factory === 'fastify') return packages
  return packages.map((one) => {
    if (one.specifier !== 'fastify' || fastifyFor(one.importer, {})?.isOurs) return one
    return { ...one, specifier: installedFolder(one.importer) ?? one.specifier }
  })
}

/** Detects the fast-json-stringify that the installed Fastify uses: releases of Fastify 5 accept versions 6 and 7. */
export function serializersFor(
  server: Server | undefined,
  line: LineName,
  entry: string,
): Serializers {
  const folder = installedFolder(server?.importer ?? entry)
  // For a target that isn't installed, assume its newest release.
  const isInstalled = server?.line === line && server.name !== 'framework/5'
  if (line === 'framework' || folder === undefined || !isInstalled) return { as: line }
  const { version } = installedFor('serializer', realpathSync(join(folder, 'package.json')))
  const supported = Object.keys(MATCHING_VERSIONS.serializer) as FastifySerializing[]
  const as = supported.find((one) => isWithin(version, MATCHING_VERSIONS.serializer[one]))
  if (as === undefined) return { as: line, unlike: version }
  return as === line ? { as } : { as, older: version }
}

interface ServerImport {
  readonly name: ServerName
  readonly importer: string
}

/** Goes through the modules of the application in the order of their distance from the entry. */
function nearestImport(entry: string): ServerImport | undefined {
  const files = new SourceFiles()
  const resolver = new Resolver(files)
  const conditions = nodeConditions(packageRootOf(entry) ?? process.cwd())
  const seen = new Set<string>()
  for (let modules = [entry]; modules.length > 0;) {
    const found: ServerImport[] = []
    const next = new Set<string>()
    for (const importer of modules) {
      seen.add(importer)
      for (const { specifier, isOfTypes, isRequired } of importsIn(textOf(importer, files))) {
        if (isServerName(specifier)) {
          if (!isOfTypes) found.push({ name: specifier, importer })
          continue
        }
        const module = resolver.resolve(specifier, importer, [
          ...conditions,
          isRequired ? 'require' : 'import',
        ])
        if (module.type === 'file' && !seen.has(module.file)) next.add(module.file)
      }
    }
    // A module that imports both takes Fastify for its types, or compares them.
    const nearest = found.find(({ name }) => name !== 'fastify') ?? found[0]
    if (nearest !== undefined) return nearest
    modules = [...next]
  }
  return undefined
}

/** Returns '' for a file that can't be read: the build reports it. */
function textOf(file: string, files: SourceFiles): string {
  try {
    return files.text(file)
  } catch (error) {
    if (isFileError(error)) return ''
    throw error
  }
}

/** Returns the major of a version, or of the first version in a range. */
function majorOf(range: string): string {
  return /^(?:npm:fastify@)?[\^~>=v\s]*(\d+)(?:\.|$|\s)/.exec(range)?.[1] ?? ''
}

/** Returns the folder of the `fastify` that a module imports. */
function installedFolder(importer: string): string | undefined {
  const paths = createRequire(importer).resolve.paths('fastify') ?? []
  return paths
    .map((folder) => join(folder, 'fastify'))
    .find((folder) => packageJsonIn(folder).version !== undefined)
}
