/**
 * The compilers that an instance uses unless the application brings its own: they compile nothing, they look
 * up what `framework build` compiled. In development they compile in process.
 */
import type {
  Artifact,
  CompiledFunction,
  Digest,
  SerializerOptions,
  TakeOption,
  ValidatorOptions,
} from '../artifact/index.ts'
import type { DevelopmentCompiler } from '../artifact/registry.ts'
import { registeredDevelopmentCompiler } from '../artifact/registry.ts'
import type { LazySchema } from '../artifact/lazy-schemas/index.ts'
import type { RouteTarget } from '../artifact/route-slots.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { createUnitFactory } from '../artifact/units.ts'
import type { RouteSchema } from '../artifact/normalize.ts'
import type { Place } from '../errors/caller-place.ts'
import { loadDevelopmentCompiler } from '../development-compiler.ts'
import { type Binding, BoundRoute, InexactSchemaError, type RouteToBind } from './bound-route.ts'
import { takeFrom } from './take-option.ts'
import {
  checkVersion,
  inexact,
  missing,
  orDamaged,
  remedy,
  toAnswer,
  toArtifactError,
  whatChanged,
  type CompileTarget,
} from './faults.ts'
import { describingFiles, usesFilePlugin } from './file-schemas.ts'
import { artifactErrorCodes } from '../errors/index.ts'
import { changeIn } from './replay-check.ts'
import { registeredArtifacts } from './open-artifact.ts'

/** The factory option `aot`. */
export interface AotSettings {
  /** The artifact to use; by default those that were preloaded. */
  readonly artifact?: Artifact | undefined
  /**
   * When it is said that the artifact lacks the function for a schema of the application, or is damaged: `ready`
   * (default) does before `ready()` resolves, of all routes and of every file of the artifact; `first-request` before the
   * first request of the route, and looks at the files of functions only then, which saves start-up time. Members of
   * schemas that JSON does not show (hidden or inherited ones, `toJSON`) are looked for at the first request either way.
   */
  readonly check?: 'ready' | 'first-request' | undefined
  /** `development` compiles in process; refused when NODE_ENV is `production`. */
  readonly mode?: 'artifact' | 'development' | undefined
}

/** A validator or serializer compiler of ours. Compiles in process in development, else looks up. */
export interface DefaultCompiler {
  (target: CompileTarget): CompiledFunction
  /**
   * The function for the target, which is not loaded; throws when no artifact has it. Not in development.
   *
   * @param place where the route is declared, as far as the running application knows
   */
  find?(target: CompileTarget, place?: Place): FoundFunction
  /** `null` when finding does more than to look up the digests of these. */
  readonly units?: UnitFactory | null
}

export interface FoundFunction {
  readonly artifact: Artifact
  readonly digest: Digest
  readonly take: TakeOption
}

export interface DefaultCompilers {
  /** There is an artifact to tell where a route is declared. */
  readonly knowPlaces: boolean
  /**
   * Binds a route to its functions, as its schema is now: at once, or together with other routes, at the latest when
   * `settle` is called. The route finds them one by one when there is no quicker way.
   *
   * @param lazySchema see `RouteToCheck`
   */
  bind(
    route: RouteToBind,
    schema: RouteSchema,
    lazySchema: LazySchema | undefined,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): BoundRoute
  /** Throws what is wrong with the first of the routes that were to be bound. */
  settle(): void
  /** The functions of a route, for its first request. @throws FST_ERR_AOT_*, to be sent */
  load(route: BoundRoute): readonly LoadedFunction[]
  /** Gets ready to compile; to be called before the first `build*`. Throws errors of the artifact. */
  open(): void
  buildValidator(externals: Record<string, unknown>, options: ValidatorOptions): DefaultCompiler
  buildSerializer(
    externals: Record<string, unknown>,
    options: SerializerOptions | undefined,
  ): DefaultCompiler
}

export interface LoadedFunction {
  readonly target: RouteTarget
  readonly compiled: CompiledFunction
}

/** `undefined` for what a route has no schema for, or leaves to a compiler of the application. */
type DefaultCompilerInUse = Pick<DefaultCompiler, 'units'> | undefined

const NOTHING: TakeOption = () => undefined

/** The default compilers of one root instance. */
export function createDefaultCompilers(settings: AotSettings = {}): DefaultCompilers {
  /** Contexts that see the same schemas share one compiler, as in Fastify. */
  const pool = new Map<string, DefaultCompiler>()
  let compileInProcess: DevelopmentCompiler | undefined
  let artifacts: readonly Artifact[] = []
  /** Whether routes that no function is found for wait with that for their first request. */
  let mayWait = false
  /** What is wrong with the artifact, when the first requests are to say so. */
  let damage: unknown = null
  let previous: BoundRoute | undefined
  /** That of the last route: neighbours mostly have the same. */
  let binding: Binding | undefined
  const takes = new WeakMap<object, TakeOption>()
  const changes = new WeakMap<object, { readonly reason: string | undefined }>()
  const knowPlaces = settings.artifact !== undefined || registeredArtifacts().length > 0
  return { knowPlaces, bind, settle, load, open, buildValidator, buildSerializer }

  function isDevelopment(): boolean {
    return (
      settings.mode === 'development' ||
      (settings.mode === undefined && registeredDevelopmentCompiler() !== undefined)
    )
  }

  function open(): void {
    if (isDevelopment()) {
      if (process.env.NODE_ENV === 'production')
        throw new artifactErrorCodes.FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION(remedy())
      const registered = registeredDevelopmentCompiler()
      // One of another global object, as around what Jest runs, would know other classes than the application.
      compileInProcess = registered instanceof Function ? registered : loadDevelopmentCompiler()
      return
    }
    artifacts = settings.artifact ? [settings.artifact] : registeredArtifacts()
    for (const artifact of artifacts) checkVersion(artifact)
    mayWait = settings.check === 'first-request' && artifacts.length > 0
    try {
      for (const artifact of artifacts) orDamaged(() => artifact.open())
      if (!mayWait) for (const artifact of artifacts) orDamaged(() => artifact.verify())
    } catch (error) {
      if (!mayWait) throw error
      damage = error
    }
  }

  function buildValidator(
    externals: Record<string, unknown>,
    options: ValidatorOptions,
  ): DefaultCompiler {
    const { plugins } = options
    takes.set(options, takes.get(options) ?? takeFrom(options))
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
    if (compile) {
      const compileUnit: DefaultCompiler = ({ schema, httpPart }) =>
        compile(units.unit(schema, httpPart))
      return Object.assign(compileUnit, { units })
    }
    const find = (target: CompileTarget, place?: Place): FoundFunction =>
      findFunction(units, target, place)
    return Object.assign((target: CompileTarget) => loadFunction(find(target)), { find, units })
  }

  /** While a request waits for it. */
  function loadFunction({ artifact, digest, take }: FoundFunction): CompiledFunction {
    try {
      return artifact.load(digest, take)
    } catch (error) {
      throw toAnswer(toArtifactError(error))
    }
  }

  function bind(
    route: RouteToBind,
    schema: RouteSchema,
    lazySchema: LazySchema | undefined,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): BoundRoute {
    let untouched = lazySchema
    if (
      binding === undefined ||
      binding.validator !== validator ||
      binding.serializer !== serializer ||
      binding.isCustom !== isCustom
    ) {
      binding = createBinding(validator, serializer, isCustom)
      // It may have called functions of the application.
      untouched = undefined
    }
    if (previous?.isTwin(schema, binding)) return previous
    const { artifact } = binding
    // What was put off comes first, and sees schemas before this check changes them (`file-schemas.ts`).
    if (artifact === undefined) settle()
    const bound = new BoundRoute(route, schema, untouched, binding)
    if (damage !== null) {
      bound.fail(damage)
      return bound
    }
    if (artifact === undefined) {
      bound.checkEach()
      return bound
    }
    previous = bound
    // No function for each of a thousand routes, as `orDamaged` takes one.
    try {
      artifact.routes.add(bound)
    } catch (error) {
      const fault = toArtifactError(error)
      // What is wrong with one route it has taken down itself.
      if (mayWait) damage = fault
      bound.fail(fault)
    }
    return bound
  }

  function createBinding(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): Binding {
    const validators = validator?.units ?? undefined
    const serializers = serializer?.units ?? undefined
    return {
      factories: { validators, serializers },
      isCustom,
      validator,
      serializer,
      take: takeOf(validators),
      artifact: onlyArtifact(validator, serializer),
      mayWait,
    }
  }

  function settle(): void {
    previous = undefined
    for (const artifact of artifacts) orDamaged(() => artifact.routes.settle())
  }

  function load(route: BoundRoute): readonly LoadedFunction[] {
    let functions
    try {
      functions = route.functions()
    } catch (error) {
      throw toAnswer(error instanceof InexactSchemaError ? inexact(error) : toArtifactError(error))
    }
    return functions.map((found) => ({ target: found.target, compiled: loadFunction(found) }))
  }

  /** What takes functions of the application, where validators may call some. */
  function takeOf(units: UnitFactory | undefined): TakeOption {
    return (units && takes.get(units.options)) ?? NOTHING
  }

  /** What functions of the application no longer do as they did when these were compiled. */
  function changeOf(units: UnitFactory): string | undefined {
    const { options } = units
    const take = takes.get(options)
    if (take === undefined) return undefined
    let known = changes.get(options)
    if (known === undefined) {
      const [text] = units.settings()
      const all = artifacts.map((artifact) => orDamaged(() => artifact.replayChecks()))
      const own = all.filter((one) => one?.options === text)
      known = { reason: own.map((one) => one && changeIn(one.list, take)).find(Boolean) }
      changes.set(options, known)
    }
    return known.reason
  }

  /** The artifact that may tell of a route as a whole. */
  function onlyArtifact(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
  ): Artifact | undefined {
    // Compilers that do more than look up have no units.
    if (validator?.units === null || serializer?.units === null) return undefined
    // What has changed is told of each schema.
    if (damage === null && validator?.units && changeOf(validator.units)) return undefined
    return artifacts.length === 1 ? artifacts[0] : undefined
  }

  /** @throws FST_ERR_AOT_* */
  function findFunction(units: UnitFactory, target: CompileTarget, place?: Place): FoundFunction {
    const { schema, httpPart } = target
    const change = changeOf(units)
    if (change !== undefined) throw missing(artifacts, target, place, change)
    for (const artifact of artifacts) {
      const known = artifact.ofLazySchema?.(schema, units, httpPart)
      if (known !== undefined) return { artifact, digest: known, take: takeOf(units) }
    }
    const digest = units.digest(schema, httpPart)
    for (const artifact of artifacts) {
      if (orDamaged(() => artifact.has(digest))) return { artifact, digest, take: takeOf(units) }
    }
    // What a description says may depend on where the application runs.
    const plain = artifacts.length > 0 ? units.plainDigest(schema, httpPart) : undefined
    for (const artifact of artifacts) {
      const equal = plain && orDamaged(() => artifact.ofPlain(plain))
      if (equal) return { artifact, digest: equal, take: takeOf(units) }
    }
    throw missing(artifacts, target, place, whatChanged(artifacts, units.unit(schema, httpPart)))
  }
}
