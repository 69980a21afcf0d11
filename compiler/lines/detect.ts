/** For what an application is built when nobody says: for what it runs on today. */
import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifySerializing, Line, Serializing } from '../../runtime/artifact/lines.ts'
import { installedFor, isWithin, MADE_FOR } from '../../runtime/bridge/fit.ts'

const BY_MAJOR: Readonly<Record<string, Line>> = { 4: 'fastify@4', 5: 'fastify@5' }

/** What a module imports that is more than types. */
const IMPORT =
  /(?:\bimport\s+(?!type\b)[\w*{][^'";]*?\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])(fastify|framework)\1/g

/** Who serves an application. */
export interface Server {
  /** A package, with its version where that decides. */
  readonly name: string
  /** `undefined` for a Fastify that is none of ours. */
  readonly line: Line | undefined
}

export function detectLine(entry: string, root: string): Line {
  return detectServer(entry, root)?.line ?? 'framework'
}

/**
 * The runtime of this package where the entry imports it, else the Fastify that is installed. An entry that imports
 * neither is a plugin, or leaves it to a file of its own: then the dependencies of the package decide.
 *
 * @param root the folder of the package
 * @returns `undefined` where nothing tells
 */
export function detectServer(entry: string, root: string): Server | undefined {
  const imported = importsOf(entry)
  if (imported.has('framework')) return runtime
  if (imported.has('fastify')) return installedServer(entry)
  const { dependencies } = readJson(join(root, 'package.json'))
  if (dependencies === undefined) return undefined
  if ('framework' in dependencies) return runtime
  return 'fastify' in dependencies ? installedServer(entry) : undefined
}

const runtime: Server = { name: 'framework', line: 'framework' }

/** Whom serializers are to answer as. */
export interface Serializers {
  readonly as: Serializing
  /** The version of fast-json-stringify that is installed and that none answer as. */
  readonly unlike?: string
}

/** What answers as the fast-json-stringify that Fastify uses here: each release of Fastify 5 takes versions 6 and 7. */
export function detectSerializers(entry: string, line: Line): Serializers {
  const file = installedFile(entry)
  // For a Fastify that is not the one here, its newest release is as good as any.
  if (line === 'framework' || file === undefined || installedServer(entry)?.line !== line)
    return { as: line }
  const { version } = installedFor('serializer', realpathSync(file))
  const known = Object.keys(MADE_FOR.serializer) as FastifySerializing[]
  const as = known.find((one) => isWithin(version, MADE_FOR.serializer[one]))
  return as === undefined ? { as: line, unlike: version } : { as }
}

/** Whether `fastify` means another package to the entry than this one, or none. */
export function importsOtherFastify(entry: string): boolean {
  const imported = importsOf(entry)
  if (!imported.has('fastify')) return false
  return installedServer(entry)?.name !== 'framework'
}

function importsOf(entry: string): ReadonlySet<string | undefined> {
  const text = readText(entry)
  return new Set([...text.matchAll(IMPORT)].map(([, , name]) => name))
}

/** Under the name of Fastify may be installed what stands in for it. */
function installedServer(entry: string): Server | undefined {
  const file = installedFile(entry)
  if (file === undefined) return undefined
  const { name = '', version = '' } = readJson(file)
  if (name !== 'fastify') return { name, line: 'framework' }
  return { name: `fastify ${version}`, line: BY_MAJOR[version.split('.')[0] ?? ''] }
}

/** The package.json of what `fastify` means to the entry. */
function installedFile(entry: string): string | undefined {
  const paths = createRequire(entry).resolve.paths('fastify') ?? []
  return paths
    .map((folder) => join(folder, 'fastify/package.json'))
    .find((file) => readJson(file).version !== undefined)
}

interface PackageJson {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function readJson(file: string): PackageJson {
  return JSON.parse(readText(file) || '{}') as PackageJson
}

/** Nothing where there is no such file. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return ''
    throw error
  }
}
