/** Finds out why an artifact lacks a function. */
import { nodeModule } from '../../platform/index.ts'
import { describeDifference } from './difference.ts'
import { digestOf } from '../digest.ts'
import { lowerCaseHeaders } from '../header-names.ts'
import type { Artifact, Missing, MissingTarget, Origin, RecordedRoute } from '../index.ts'
import type { UnitFactory } from '../units.ts'

const UNKNOWN_ROUTE =
  'the build saw no route of this method and URL: it is new, or belongs to an instance that the entry creates at runtime, or to a package, which the build sees with "--trace"'

const OTHER_OPTIONS =
  'this instance has other options than those that the build knows: the entry creates it at runtime, or they come from outside, as with `fastify start --options`. Write them where the entry creates the instance'

/** The reason if there is no manifest to compare with. */
export const UNLIKE =
  'the build read another schema here, or none: the source changed, its value depends on where it runs, or a package declares the route, which the build sees with "--trace"'

const OTHER_SERIALIZERS =
  'its serializers match the older fast-json-stringify of the installed Fastify, and this process serializes like the one of the newest Fastify 5'

/** A schema of `validateInput`, `serializeInput` and the like. */
export const IN_HANDLER =
  'a handler compiles this schema, and the build only knows schemas of routes. Declare it in the `schema` of the route, or set a validator or serializer compiler of your own'

export function whyMissing(origin: Origin, units: UnitFactory, target: MissingTarget): Missing {
  const { method, url, httpPart, httpStatus } = target
  if (typeof httpPart !== 'string' && typeof httpStatus !== 'string') return { reason: IN_HANDLER }
  // A HEAD route may be the twin of a GET route.
  const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method ?? []].flat()
  const routes = methods.map((one) => origin.routesOf(one, url)).find((some) => some.length > 0)
  const isUnknown = url !== undefined && routes === undefined
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
      ? { reason: OTHER_SERIALIZERS, option: ' --server framework' }
      : { reason: OTHER_OPTIONS }
  }
  if (routes === undefined) return { reason: UNKNOWN_ROUTE }
  const what = differenceFrom(routes, origin, units, target)
  const changed = changedSources(origin)
  const since =
    changed?.length === 0 ? "the source hasn't changed" : `${changed?.join(', ')} changed`
  return {
    reason: what + (changed ? `, and ${since} since` : '') + orCompiledBefore(origin),
    // The build would read the same again.
    ...(changed?.length === 0 && { option: ' --trace' }),
    isKnown: true,
  }
}

/** Compares the target's schema, then those that it refers to, with the ones that the build read. */
function differenceFrom(
  routes: readonly RecordedRoute[],
  { shared }: Origin,
  units: UnitFactory,
  { schema, ...target }: MissingTarget,
): string {
  const own = routes.map((route) => {
    const built = partOf(route, target, schema)
    const what =
      built === undefined ? 'the build read no schema for this' : describeDifference(schema, built)
    return what && `${what} at ${route.at}`
  })
  if (!own.includes(undefined)) return own[0] as string
  const { externals } = units.unit(schema as object, target.httpPart ?? undefined)
  for (const [id, now] of Object.entries(externals)) {
    const all = shared(id)
    const found = all.map((one) => {
      const what = describeDifference(now, one.schema, ` of the shared schema "${id}"`)
      return what && `${what} at ${one.at}`
    })
    if (found.length === 0) return `the build read no shared schema "${id}"`
    if (!found.includes(undefined)) return found[0] as string
  }
  return 'the build read an equal schema, but not with the shared schemas and options of this context'
}

/** Returns the schema of a part as the build wrote it down, in the form that compilers get it. */
function partOf(
  { schemas }: RecordedRoute,
  { httpPart, httpStatus, contentType }: MissingTarget,
  schema: unknown,
): unknown {
  const written = schemas(httpPart ?? '', httpStatus ?? '') as Record<string, unknown> | undefined
  const { content } = (contentType && written) || {}
  const entry = (content as Record<string, { schema: unknown }> | undefined)?.[contentType ?? '']
  const built = (contentType ? entry?.schema : written) as Record<string, unknown> | undefined
  const isShort = built?.type === undefined && built?.properties === undefined
  const { type, properties } = Object(schema) as Record<string, unknown>
  // The short form lists only properties.
  const whole =
    built && isShort && type === 'object' && properties ? { type, properties: built } : built
  return httpPart === 'headers' && whole ? lowerCaseHeaders(whole) : whole
}

/** Names the files of the application that changed since the build; undefined if a source file is missing, as in an image of compiled code. */
function changedSources({ folder, sources = {} }: Origin): string[] | undefined {
  const { readFileSync } = nodeModule('node:fs')
  const { resolve } = nodeModule('node:path')
  const base = rootOf(folder)
  const files = Object.entries(sources)
  try {
    const changed = files.filter(
      ([file, digest]) => digestOf(readFileSync(resolve(base, file), 'utf8')) !== digest,
    )
    return files.length === 0 ? undefined : changed.map(([file]) => `"${file}"`)
  } catch {
    return undefined
  }
}

/** Adds another possible reason for code that was compiled from TypeScript: the build reads the source. */
function orCompiledBefore({ entry, compiled = {} }: Origin): string {
  const [, main = ''] = process.argv
  const isCompiled = /\.[cm]?tsx?$/.test(entry) && /\.[cm]?jsx?$/.test(main)
  const program = isCompiled
    ? nodeModule('node:path').relative(process.cwd(), main)
    : Object.keys(compiled)[0]
  if (program === undefined) return ''
  return `, or "${program}" was compiled before the source changed: then compile that first`
}

/** Returns the folder that paths in the manifest are relative to. */
function rootOf(folder: string): string {
  const { basename, dirname } = nodeModule('node:path')
  return basename(folder) === '.framework' ? dirname(folder) : process.cwd()
}

/** Names a compiled file of another package that is older than its source, if there is one. */
export function olderThanSource({ folder, compiled = {} }: Origin): string | undefined {
  const { resolve } = nodeModule('node:path')
  const { statSync } = nodeModule('node:fs')
  const base = rootOf(folder)
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
  { method, url, httpPart, httpStatus, contentType }: MissingTarget,
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
