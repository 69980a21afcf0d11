/**
 * The compilers that an instance uses unless the application brings its own: they compile nothing, they look
 * up what `framework build` compiled. In development they compile in process.
 */
import type {
  Artifact,
  CompiledFunction,
  Digest,
  SerializerOptions,
  ValidatorOptions,
} from '../artifact/index.ts'
import { DamagedArtifactError } from '../artifact/files.ts'
import type { DevelopmentCompiler } from '../artifact/registry.ts'
import { registeredDevelopmentCompiler } from '../artifact/registry.ts'
import type { RouteFactories } from '../artifact/route-slots.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { createUnitFactory } from '../artifact/units.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import { ARTIFACT_FORMAT, VERSION } from '../artifact/version.ts'
import type { Place } from '../errors/caller-place.ts'
import { loadDevelopmentCompiler } from '../development-compiler.ts'
import { describingFiles, usesFilePlugin } from './file-schemas.ts'
import { artifactErrorCodes } from '../errors/index.ts'
import { registeredArtifacts } from './open-artifact.ts'

/** The factory option `aot`. */
export interface AotSettings {
  /** The artifact to use; by default those that were preloaded. */
  readonly artifact?: Artifact | undefined
  /**
   * When it is checked that the artifact has the function for each schema of the application: `ready`
   * (default) checks all of them and every file of the artifact before `ready()` resolves; `first-request`
   * checks a route's before its first request is served, which saves start-up time in large applications.
   */
  readonly check?: 'ready' | 'first-request' | undefined
  /** `development` compiles in process; refused when NODE_ENV is `production`. */
  readonly mode?: 'artifact' | 'development' | undefined
}

/** What a schema belongs to, as Fastify hands it to a compiler. */
export interface CompileTarget {
  readonly schema: object
  readonly method?: string | readonly string[]
  readonly url?: string
  readonly httpPart?: string
  readonly httpStatus?: string
  readonly contentType?: string
}

/** A validator or serializer compiler of ours. Compiles in process in development, else looks up. */
export interface DefaultCompiler {
  /** @param digest of the function, when it is known */
  (target: CompileTarget, digest?: Digest): CompiledFunction
  /**
   * Throws when the artifact has no function for the target; loads nothing. Not in development.
   *
   * @param place where the route is declared, as far as the running application knows
   */
  check?(target: CompileTarget, place?: Place): void
  readonly checksEarly?: boolean
  /** `null` when checking does more than to look up the digests of these. */
  readonly units?: UnitFactory | null
}

export interface DefaultCompilers {
  /** There is an artifact to tell where a route is declared, or nobody will have to ask. */
  readonly knowPlaces: boolean
  /**
   * Checks that the artifact has all functions of a route: at once, or together with other routes, at the latest when
   * `settle` is called. `checkEach` checks them one by one, and is called when there is no quicker way.
   */
  checkRoute(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
    checkEach: () => void,
  ): void
  /** Throws what is wrong with the first of the routes that were to be checked. */
  settle(): void
  /** Of a route's request parts, then of its responses, when one look-up tells: otherwise each schema has to be digested. */
  digestsOf(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): readonly Digest[] | undefined
  /** Gets ready to compile; to be called before the first `build*`. Throws errors of the artifact. */
  load(): void
  buildValidator(externals: Record<string, unknown>, options: ValidatorOptions): DefaultCompiler
  buildSerializer(
    externals: Record<string, unknown>,
    options: SerializerOptions | undefined,
  ): DefaultCompiler
}

/** `undefined` for what a route has no schema for, or leaves to a compiler of the application. */
type DefaultCompilerInUse = Pick<DefaultCompiler, 'units'> | undefined

const BUILD_COMMAND = 'framework build <entry>'
const CHANGED = 'the schema, or one that it refers to, changed after the build'

/** The default compilers of one root instance. */
export function createDefaultCompilers(settings: AotSettings = {}): DefaultCompilers {
  /** Contexts that see the same schemas share one compiler, as in Fastify. */
  const pool = new Map<string, DefaultCompiler>()
  let compileInProcess: DevelopmentCompiler | undefined
  let artifacts: readonly Artifact[] = []
  const knowPlaces =
    settings.artifact !== undefined || isDevelopment() || registeredArtifacts().length > 0
  return { knowPlaces, checkRoute, settle, digestsOf, load, buildValidator, buildSerializer }

  function isDevelopment(): boolean {
    return (
      settings.mode === 'development' ||
      (settings.mode === undefined && registeredDevelopmentCompiler() !== undefined)
    )
  }

  function load(): void {
    if (isDevelopment()) {
      if (process.env.NODE_ENV === 'production')
        throw new artifactErrorCodes.FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION(BUILD_COMMAND)
      compileInProcess = registeredDevelopmentCompiler() ?? loadDevelopmentCompiler()
      return
    }
    artifacts = settings.artifact ? [settings.artifact] : registeredArtifacts()
    for (const artifact of artifacts) checkVersion(artifact)
    if (settings.check !== 'first-request') {
      for (const artifact of artifacts) orDamaged(() => artifact.verify())
    }
  }

  function buildValidator(
    externals: Record<string, unknown>,
    options: ValidatorOptions,
  ): DefaultCompiler {
    const { plugins } = options
    return pooled('validator', externals, options, () => {
      const compiler = createCompiler(createUnitFactory('validator', externals, options))
      return usesFilePlugin(plugins) ? describingFiles(compiler) : compiler
    })
  }

  function buildSerializer(
    externals: Record<string, unknown>,
    options: SerializerOptions = {},
  ): DefaultCompiler {
    return pooled('serializer', externals, options, () =>
      createCompiler(createUnitFactory('serializer', externals, options)),
    )
  }

  function pooled(
    kind: string,
    externals: object,
    options: object,
    create: () => DefaultCompiler,
  ): DefaultCompiler {
    const key = `${kind}${JSON.stringify(externals)}${JSON.stringify(options)}`
    let compiler = pool.get(key)
    if (compiler === undefined) pool.set(key, (compiler = create()))
    return compiler
  }

  function createCompiler(units: UnitFactory): DefaultCompiler {
    const compile = compileInProcess
    if (compile) return ({ schema, httpPart }) => compile(units.unit(schema, httpPart))
    const lookUp = (target: CompileTarget, known?: Digest): CompiledFunction => {
      const [artifact, digest] =
        known === undefined ? find(units, target) : [artifacts[0] as Artifact, known]
      return orDamaged(() => artifact.load(digest))
    }
    return Object.assign(lookUp, {
      check: (target: CompileTarget, place?: Place) => void find(units, target, place),
      checksEarly: settings.check !== 'first-request' || artifacts.length === 0,
      units,
    })
  }

  function checkRoute(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
    checkEach: () => void,
  ): void {
    const artifact = onlyArtifact(validator, serializer)
    if (artifact === undefined) {
      // What was put off comes first, and sees schemas before this check changes them (`file-schemas.ts`).
      settle()
      checkEach()
      return
    }
    // No function for each of a thousand routes, as `orDamaged` takes one.
    try {
      artifact.routes.add(schema, factoriesOf(validator, serializer), isCustom, checkEach)
    } catch (error) {
      throw toArtifactError(error)
    }
  }

  function settle(): void {
    for (const artifact of artifacts) orDamaged(() => artifact.routes.settle())
  }

  function digestsOf(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): readonly Digest[] | undefined {
    const factories = factoriesOf(validator, serializer)
    const artifact = onlyArtifact(validator, serializer)
    return artifact && orDamaged(() => artifact.routes.digestsOf(schema, factories, isCustom))
  }

  /** The artifact that may tell of a route as a whole. */
  function onlyArtifact(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
  ): Artifact | undefined {
    // Compilers that do more than look up have no units.
    if (validator?.units === null || serializer?.units === null) return undefined
    return artifacts.length === 1 ? artifacts[0] : undefined
  }

  /** @throws FST_ERR_AOT_* */
  function find(units: UnitFactory, target: CompileTarget, place?: Place): [Artifact, Digest] {
    const { schema, httpPart } = target
    const digest = units.digest(schema, httpPart)
    for (const artifact of artifacts) {
      if (orDamaged(() => artifact.has(digest))) return [artifact, digest]
    }
    // What a description says may depend on where the application runs.
    const plain = artifacts.length > 0 ? units.plainDigest(schema, httpPart) : undefined
    for (const artifact of artifacts) {
      const equal = plain && orDamaged(() => artifact.ofPlain(plain))
      if (equal) return [artifact, equal]
    }
    throw missing(target, place)
  }

  function missing(target: CompileTarget, place: Place | undefined): Error {
    const what = describeTarget(target)
    const where = placeOf(target, place)
    if (artifacts.length === 0) {
      return new artifactErrorCodes.FST_ERR_AOT_ARTIFACT_MISSING(what, where, BUILD_COMMAND)
    }
    const kind = target.httpPart === undefined ? 'serializer' : 'validator'
    const leftOut = whyLeftOut(target)
    return leftOut === undefined
      ? new artifactErrorCodes.FST_ERR_AOT_FUNCTION_MISSING(
          kind,
          what,
          where,
          CHANGED,
          BUILD_COMMAND,
        )
      : new artifactErrorCodes.FST_ERR_AOT_FUNCTION_MISSING(
          kind,
          what,
          where,
          `the build left it to the running application (${leftOut})`,
          `${BUILD_COMMAND} --trace`,
        )
  }

  /** Why the build compiled nothing for the target, if it knew of it. */
  function whyLeftOut(target: CompileTarget): string | undefined {
    const { method, url, httpPart, httpStatus, contentType } = target
    const parts =
      httpPart === undefined
        ? [`${httpStatus} ${contentType}`, String(httpStatus), 'response', 'schema']
        : [httpPart, 'schema']
    for (const artifact of artifacts) {
      const read = (): string | undefined =>
        artifact.leftOut([method].flat()[0] ?? '', url ?? '', parts)
      const reason = orDamaged(read)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  /** Where the route is declared: as the build saw it, else as the running application says. */
  function placeOf({ method, url }: CompileTarget, remembered: Place | undefined): string {
    for (const artifact of artifacts) {
      const place = orDamaged(() => artifact.locate([method].flat()[0] ?? '', url ?? ''))
      if (place !== undefined) return `declared at ${place}`
    }
    const place = remembered?.()
    return place === undefined ? 'declared at an unknown place' : `declared at ${place}`
  }
}

function factoriesOf(
  validator: DefaultCompilerInUse,
  serializer: DefaultCompilerInUse,
): RouteFactories {
  return {
    validators: validator?.units ?? undefined,
    serializers: serializer?.units ?? undefined,
  }
}

function checkVersion(artifact: Artifact): void {
  const { format, version } = artifact
  if (format === ARTIFACT_FORMAT && version === VERSION) return
  // Between two releases the form may change alone.
  const [theirs, ours] =
    version === VERSION
      ? [`${version}, form ${format},`, `${VERSION}, form ${ARTIFACT_FORMAT}`]
      : [version, VERSION]
  throw new artifactErrorCodes.FST_ERR_AOT_ARTIFACT_VERSION(theirs, ours, BUILD_COMMAND)
}

function orDamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw toArtifactError(error)
  }
}

function toArtifactError(error: unknown): unknown {
  if (!(error instanceof DamagedArtifactError)) return error
  return new artifactErrorCodes.FST_ERR_AOT_ARTIFACT_DAMAGED(error.message, BUILD_COMMAND)
}

function describeTarget({ method, url, httpPart, httpStatus, contentType }: CompileTarget): string {
  const route = url === undefined ? 'a schema' : `${String(method)} ${url}`
  if (httpPart !== undefined) return `${route}, ${httpPart}`
  if (httpStatus === undefined) return route
  return `${route}, response ${httpStatus}${contentType === undefined ? '' : ` ${contentType}`}`
}
