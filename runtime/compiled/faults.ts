/** Errors about artifacts that can't serve, for the application and for clients. */
import { type LineName, lineTitles } from '../artifact/lines.ts'
import type { Artifact, Missing, Origin, RouteTarget } from '../artifact/index.ts'
import { DamagedArtifactError, OtherBuildError } from '../artifact/files.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { ARTIFACT_FORMAT, VERSION } from '../artifact/version.ts'
import { IN_HANDLER, UNLIKE, whyLeftOut } from '../artifact/missing/index.ts'
import type { Place } from '../errors/caller-place.ts'
import { createError } from '../errors/create-error.ts'
import { artifactErrorCodes } from '../errors/index.ts'
import { fileExists, nodeModule } from '../platform/index.ts'
import { deployCommand, registeredArtifacts } from './open-artifact.ts'

/** The target of a schema, as Fastify passes it to a compiler. */
export interface CompileTarget {
  readonly schema: object
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly httpPart?: string
  readonly httpStatus?: string
  readonly contentType?: string
}

/** Returns the command that updates the deployment, or the artifact beside an application. */
export function remedy(
  artifacts: readonly Artifact[] = registeredArtifacts(),
  option = '',
): string {
  const command = deployCommand()
  if (command !== undefined) return `${command}${option}`
  const [origin] = artifacts.flatMap((artifact) => originOf(artifact) ?? [])
  return origin === undefined
    ? `framework build${placeholder()}${option}`
    : commandOf(origin, option)
}

function commandOf({ folder, entry, options }: Origin, option: string): string {
  const { basename, dirname, join, relative } = nodeModule('node:path')
  const here = process.cwd()
  const isDefaultFolder = basename(folder) === '.framework'
  const flags = [
    ...(isDefaultFolder ? [] : [` --out ${relative(here, folder)}`]),
    ...(options.allowDynamic ? [' --allow-dynamic'] : []),
    ...(options.trace ? [' --trace'] : []),
  ]
  const path = isDefaultFolder ? relative(here, join(dirname(folder), entry)) : entry
  return `framework build ${path}${[...new Set([...flags, option])].join('')}`
}

/** Returns undefined without a manifest, or if its file is damaged. */
function originOf(artifact: Artifact): Origin | undefined {
  try {
    return artifact.origin()
  } catch (error) {
    if (error instanceof DamagedArtifactError) return undefined
    throw error
  }
}

/** Without an entry, the command builds that of the existing artifact. */
function placeholder(): string {
  return fileExists('.framework/manifest.json') ? '' : ' <entry>'
}

/**
 * Creates the error for a missing function.
 *
 * @param place where the running application declares the route
 * @param why the reason, or the factory of the units that were looked up
 */
export function missing(
  artifacts: readonly Artifact[],
  target: CompileTarget,
  place: Place | undefined,
  why: string | UnitFactory,
): Error {
  const what = describeTarget(target)
  const where = placeOf(artifacts, target, place)
  if (artifacts.length === 0) {
    return new artifactErrorCodes.FST_ERR_AOT_ARTIFACT_MISSING(what, where, remedy(artifacts))
  }
  const kind = target.httpPart === undefined ? 'serializer' : 'validator'
  const { FST_ERR_AOT_FUNCTION_MISSING } = artifactErrorCodes
  const error = (reason: string, command: string): Error =>
    new FST_ERR_AOT_FUNCTION_MISSING(kind, what, where, reason, command && ` Run "${command}".`)
  const found: Missing = typeof why === 'string' ? { reason: why } : explain(artifacts, target, why)
  const { reason, entry, option, isElsewhere } = found
  if (isElsewhere || reason === IN_HANDLER) return error(reason, '')
  const leftOut = firstOf(artifacts, (one) => whyLeftOut(one, target))
  return leftOut === undefined
    ? error(reason, entry === undefined ? remedy(artifacts, option) : `framework build ${entry}`)
    : error(
        `the build left it to the running application (${leftOut})`,
        remedy(artifacts, ' --trace'),
      )
}

function explain(
  artifacts: readonly Artifact[],
  target: CompileTarget,
  units: UnitFactory,
): Missing {
  const found = orDamaged(() => artifacts.flatMap((one) => one.whyMissing(units, target) ?? []))
  return found.find(({ isKnown }) => isKnown) ?? found[0] ?? { reason: UNLIKE }
}

/** Returns where the route is declared, according to the build or else to the running application. */
function placeOf(
  artifacts: readonly Artifact[],
  { method, url }: CompileTarget,
  remembered: Place | undefined,
): string {
  const place = firstOf(artifacts, (one) => one.locate([method].flat()[0] ?? '', url ?? ''))
  return declaredAt(place ?? remembered?.())
}

function firstOf<T>(
  artifacts: readonly Artifact[],
  read: (artifact: Artifact) => T | undefined,
): T | undefined {
  for (const artifact of artifacts) {
    const found = orDamaged(() => read(artifact))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns `''` if the place is unknown: the build doesn't know the route, and its declaration is bundled or wasn't recorded. */
function declaredAt(place: string | undefined): string {
  return place === undefined ? '' : ` (declared at ${place})`
}

export function checkVersion(artifact: Artifact): void {
  const { format, version } = artifact
  if (format === ARTIFACT_FORMAT && version === VERSION) return
  // If the releases are equal, only the format differs.
  const [theirs, ours] =
    version === VERSION
      ? [`${version}, form ${format},`, `${VERSION}, form ${ARTIFACT_FORMAT}`]
      : [version, VERSION]
  throw new artifactErrorCodes.FST_ERR_AOT_ARTIFACT_VERSION(theirs, ours, remedy([artifact]))
}

/** Creates the error for an artifact of another line of Fastify. */
export function otherLine(artifact: Artifact, line: LineName): Error {
  const [theirs, ours] = [lineTitles[artifact.line], lineTitles[line]]
  return new artifactErrorCodes.FST_ERR_AOT_OTHER_LINE(theirs, ours, remedy([artifact]))
}

/** Reads from artifacts, and throws their errors with the command that mends them. */
export function orDamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw toArtifactError(error)
  }
}

export function toArtifactError(error: unknown): unknown {
  const { FST_ERR_AOT_ARTIFACT_DAMAGED, FST_ERR_AOT_OTHER_BUILD } = artifactErrorCodes
  if (error instanceof OtherBuildError) return new FST_ERR_AOT_OTHER_BUILD(error.message, remedy())
  if (!(error instanceof DamagedArtifactError)) return error
  return new FST_ERR_AOT_ARTIFACT_DAMAGED(error.message, remedy())
}

/** Creates the error for a schema that contains more than the JSON that its function was found by. */
export function inexact(target: RouteTarget): Error {
  return new artifactErrorCodes.FST_ERR_AOT_FUNCTION_MISSING(
    target.httpPart === undefined ? 'serializer' : 'validator',
    describeTarget(target),
    ' (of the requested route)',
    'it inherits or hides members, or has a toJSON, so that it is more than its JSON says',
    ` Run "${remedy()}".`,
  )
}

/** Returns the error for clients, without files and places. The log contains the cause. */
export function toClientError(cause: unknown): unknown {
  const { code } = cause as { code?: unknown }
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_AOT_')) return cause
  return createError(code, 'The artifact cannot serve this route. The log says why.')({ cause })
}

function describeTarget({
  method,
  url,
  httpPart,
  httpStatus,
  contentType,
}: Omit<CompileTarget, 'schema'>): string {
  const route = url === undefined ? 'a schema' : `${String(method)} ${url}`
  // Handlers pass `null` for what they don't know.
  if (typeof httpPart === 'string') return `${route}, ${httpPart}`
  if (httpStatus == null) return route
  return `${route}, response ${httpStatus}${contentType == null ? '' : ` ${contentType}`}`
}
