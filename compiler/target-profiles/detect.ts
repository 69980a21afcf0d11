/** Detects the target of an application without an option: the server that it runs on today. */
import { readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifySerializing, Line, Serializing } from '../../runtime/artifact/lines.ts'
import { installedFor, isWithin, MADE_FOR } from '../../runtime/bridge/fit.ts'

const BY_MAJOR: Readonly<Record<string, Line>> = { 4: 'fastify@4', 5: 'fastify@5' }

/** Imports of values, not of types alone. */
const IMPORT =
  /(?:\bimport\s+(?!type\b)[\w*{][^'";]*?\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])(fastify|framework)\1/g

/** The server of an application. */
export interface Server {
  /** The package, with its version if that decides. */
  readonly name: string
  /** `undefined` for an unsupported release of Fastify. */
  readonly line: Line | undefined
}

export function detectLine(entry: string, root: string): Line {
  return detectServer(entry, root)?.line ?? 'framework'
}

/**
 * Returns `framework` if the entry imports it, else the installed Fastify. If the entry imports neither, as a plugin, the
 * dependencies of the package decide.
 *
 * @param root the folder of the package
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

/** The implementation whose output serializers match. */
export interface Serializers {
  readonly as: Serializing
  /** The installed version of fast-json-stringify, if it is unsupported. */
  readonly unlike?: string
}

/** Detects the fast-json-stringify that the installed Fastify uses: releases of Fastify 5 accept versions 6 and 7. */
export function detectSerializers(entry: string, line: Line): Serializers {
  const file = installedFile(entry)
  // For a target that isn't installed, assume its newest release.
  if (line === 'framework' || file === undefined || installedServer(entry)?.line !== line)
    return { as: line }
  const { version } = installedFor('serializer', realpathSync(file))
  const known = Object.keys(MADE_FOR.serializer) as FastifySerializing[]
  const as = known.find((one) => isWithin(version, MADE_FOR.serializer[one]))
  return as === undefined ? { as: line, unlike: version } : { as }
}

/** Returns whether the entry imports `fastify` and gets another package than `framework`, or none. */
export function importsOtherFastify(entry: string): boolean {
  const imported = importsOf(entry)
  if (!imported.has('fastify')) return false
  return installedServer(entry)?.name !== 'framework'
}

function importsOf(entry: string): ReadonlySet<string | undefined> {
  const text = readText(entry)
  return new Set([...text.matchAll(IMPORT)].map(([, , name]) => name))
}

/** Returns the installed `fastify`, which may be an alias of `framework`. */
function installedServer(entry: string): Server | undefined {
  const file = installedFile(entry)
  if (file === undefined) return undefined
  const { name = '', version = '' } = readJson(file)
  if (name !== 'fastify') return { name, line: 'framework' }
  return { name: `fastify ${version}`, line: BY_MAJOR[version.split('.')[0] ?? ''] }
}

/** Returns the package.json of the `fastify` that the entry imports. */
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

/** Returns '' for a missing file. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return ''
    throw error
  }
}
