/** Finds out why an artifact lacks a function, apart from schemas that changed after the build. */
import { nodeModule } from '../platform/index.ts'
import type { Artifact, Origin } from './index.ts'
import type { UnitFactory } from './units.ts'

/** The part of a route that a function is for. */
interface Target {
  readonly method?: string | readonly string[] | undefined
  readonly url?: string | undefined
  readonly httpPart?: string | null | undefined
  readonly httpStatus?: string | null | undefined
  readonly contentType?: string | null | undefined
}

export interface Missing {
  readonly reason: string
  /** The file to build instead of the artifact's entry. */
  readonly entry?: string
  /** An option that the build needs. */
  readonly option?: string
  /** True if another build of the artifact doesn't help. */
  readonly isElsewhere?: boolean
}

const UNKNOWN_ROUTE =
  'the build saw no route of this method and URL: it is new, or belongs to an instance that the entry creates at runtime, or to a package, which the build sees with "--trace"'

const OTHER_OPTIONS =
  'this instance has other options than those that the build knows: the entry creates it at runtime, or they come from outside, as with `fastify start --options`. Write them where the entry creates the instance'

const OTHER_SERIALIZERS =
  'its serializers match the older fast-json-stringify of the installed Fastify, and this process serializes like the one of the newest Fastify 5'

/** A schema of `validateInput`, `serializeInput` and the like. */
export const IN_HANDLER =
  'a handler compiles this schema, and the build only knows schemas of routes. Declare it in the `schema` of the route, or set a validator or serializer compiler of your own'

/**
 * Returns undefined if none of these reasons applies, or if the artifact has no manifest to look in.
 *
 * @throws DamagedArtifactError
 */
export function whyMissing(
  artifact: Artifact,
  units: UnitFactory,
  { method, url, httpPart, httpStatus }: Target,
): Missing | undefined {
  if (typeof httpPart !== 'string' && typeof httpStatus !== 'string') return { reason: IN_HANDLER }
  const origin = artifact.origin()
  if (origin === undefined) return undefined
  // A HEAD route may be the twin of a GET route.
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method ?? []].flat()
  const isUnknown =
    url !== undefined && methods.every((one) => artifact.locate(one, url) === undefined)
  const main = isUnknown ? otherMain(origin) : undefined
  if (main !== undefined) {
    const reason = `the artifact was built from "${origin.entry}", and this process runs "${main}"`
    return { reason, entry: main }
  }
  const outdated = olderThanSource(origin)
  if (outdated !== undefined) return { reason: outdated, isElsewhere: true }
  const [options = ''] = units.settings()
  if (origin.settings.length > 0 && !origin.settings.includes(options)) {
    // The first line names the version of the serializers.
    const withoutVersion = (text: string): string => text.slice(text.indexOf('\n'))
    return origin.settings.some((other) => withoutVersion(other) === withoutVersion(options))
      ? { reason: OTHER_SERIALIZERS, option: ' --target framework' }
      : { reason: OTHER_OPTIONS }
  }
  return isUnknown ? { reason: UNKNOWN_ROUTE } : undefined
}

/** Names a compiled file of another package that is older than its source, if there is one. */
export function olderThanSource({ folder, compiled = {} }: Origin): string | undefined {
  const { basename, dirname, resolve } = nodeModule('node:path')
  const { statSync } = nodeModule('node:fs')
  const base = basename(folder) === '.framework' ? dirname(folder) : process.cwd()
  const timeOf = (file: string): number =>
    statSync(resolve(base, file), { throwIfNoEntry: false })?.mtimeMs ?? NaN
  const [output, source] =
    Object.entries(compiled).find((files) => timeOf(files[0]) < timeOf(files[1])) ?? []
  if (output === undefined) return undefined
  return `"${output}" was compiled before "${source}" changed, and the build has read the latter: compile it first`
}

/** Returns why the build left the target out, if it knew it. @throws DamagedArtifactError */
export function whyLeftOut(
  artifact: Artifact,
  { method, url, httpPart, httpStatus, contentType }: Target,
): string | undefined {
  const part = String(httpPart ?? httpStatus)
  const parts = [`${part} ${contentType}`, part, httpPart ? 'schema' : 'response', 'schema']
  return artifact.leftOut([method].flat()[0] ?? '', url ?? '', parts)
}

/** Returns the program's file if it can't be one that imports the entry, because the entry itself listens. */
function otherMain({ entry, startsItself }: Origin): string | undefined {
  const [, main = ''] = process.argv
  const { parse, relative } = nodeModule('node:path')
  const { name, ext } = parse(main)
  // Commands of packages load the entry, and an entry in TypeScript may have been compiled to another folder.
  const isUnclear = ext === '' || /[\\/]node_modules[\\/]/.test(main)
  if (!startsItself || isUnclear || name === parse(entry).name) return undefined
  return relative(process.cwd(), main)
}
