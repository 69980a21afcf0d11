/**
 * The default compilers of an instance: they compile nothing, but look up what `framework build` compiled. In
 * development, they compile the rest in process.
 */
import type {
  Artifact,
  CompiledFunction,
  RouteBinding,
  SerializerOptions,
  TakeOption,
  ValidatorOptions,
} from '../artifact/index.ts'
import type { DevelopmentCompiler } from '../artifact/registry.ts'
import { registeredDevelopment } from '../artifact/registry.ts'
import type { LineName } from '../artifact/lines.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { IN_HANDLER } from '../artifact/missing/index.ts'
import { createUnitFactory } from '../artifact/units.ts'
import { isExact } from '../artifact/json.ts'
import type { RouteSchema, SchemaReading } from '../artifact/normalize.ts'
import { fastify4Reading } from '../artifact/reading/index.ts'
import type { Place } from '../errors/caller-place.ts'
import { loadDevelopmentCompiler } from '../development-compiler.ts'
import { takeFrom } from './take-option.ts'
import {
  checkVersion,
  inexact,
  missing,
  otherLine,
  orDamaged,
  remedy,
  toClientError,
  toArtifactError,
  type CompileTarget,
} from './faults.ts'
import { describeFiles, usesFilePlugin } from './file-schemas.ts'
import { artifactErrorCodes } from '../errors/index.ts'
import type { AotOptions } from '../types/options.ts'
import { changeOf } from './replay-check.ts'
import { registeredArtifacts } from './open-artifact.ts'
import { isZodType } from '../artifact/zod-digest.ts'
import { attachZodParser } from './zod-parsers.ts'
import type {
  DefaultCompiler,
  DefaultCompilerInUse,
  DefaultCompilers,
  FindFunctions,
  FoundFunction,
  LoadedFunction,
  LoadFunctions,
} from './model.ts'

/** The settings that all routes with the same compilers share. */
interface Binding extends RouteBinding {
  readonly validator: DefaultCompilerInUse
  readonly serializer: DefaultCompilerInUse
  readonly take: TakeOption
  /** The artifact that may recognize whole routes. */
  readonly artifact: Artifact | undefined
}

interface BoundRoute {
  readonly schema: RouteSchema
  readonly binding: Binding
  readonly load: LoadFunctions
}

const NOTHING: TakeOption = () => undefined

/** Creates the default compilers of a root instance. */
export function createDefaultCompilers(
  settings: AotOptions = {},
  line: LineName = 'framework',
  reading: SchemaReading = fastify4Reading,
): DefaultCompilers {
  /** Contexts that see the same schemas share a compiler, as in Fastify. */
  const pool = new Map<string, DefaultCompiler>()
  let compileInProcess: DevelopmentCompiler | undefined
  let artifacts: readonly Artifact[] = []
  /** Artifacts for other lines of Fastify. If this line has no artifact, the error mentions them. */
  let otherLines: readonly Artifact[] = []
  /** True if errors of routes are kept for their first request. */
  let defersErrors = false
  /** The artifact's error, if first requests should report it. */
  let artifactError: unknown = null
  let previous: BoundRoute | undefined
  /** The binding of the last route: neighbours usually have the same one. */
  let binding: Binding | undefined
  /** By options of validators. */
  const takes = new WeakMap<object, TakeOption>()
  /** Results of `functionChange`, by options. */
  const changes = new WeakMap<object, string | undefined>()
  const knowPlaces =
    !isDevelopment() && (settings.artifact !== undefined || registeredArtifacts().length > 0)
  return { knowPlaces, bind, open, attachParser, buildValidator, buildSerializer }

  function isDevelopment(): boolean {
    return (
      settings.mode === 'development' ||
      (settings.mode === undefined && registeredDevelopment() !== undefined)
    )
  }

  /** @throws FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION */
  function openCompiler(): DevelopmentCompiler {
    const registered = registeredDevelopment()
    if (registered?.isProduction ?? process.env.NODE_ENV === 'production')
      throw new artifactErrorCodes.FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION(remedy())
    // A compiler of another realm, as in Jest, would use other classes than the application.
    return registered?.compile instanceof Function ? registered.compile : loadDevelopmentCompiler()
  }

  function open(): void {
    if (isDevelopment()) compileInProcess = openCompiler()
    const all = settings.artifact ? [settings.artifact] : registeredArtifacts()
    artifacts = all.filter((artifact) => artifact.line === line)
    otherLines = all.filter((artifact) => artifact.line !== line)
    for (const artifact of artifacts) checkVersion(artifact)
    defersErrors =
      settings.check === 'first-request' && artifacts.length > 0 && compileInProcess === undefined
    try {
      for (const artifact of artifacts) orDamaged(() => artifact.open())
      if (!defersErrors) for (const artifact of artifacts) orDamaged(() => artifact.verify())
    } catch (error) {
      if (!defersErrors) throw error
      artifactError = error
    }
  }

  function attachParser(schema: unknown): void {
    if (!isZodType(schema) || isDevelopment()) return
    const all = settings.artifact ? [settings.artifact] : registeredArtifacts()
    const able = all.filter((one) => one.line === line && one.libraries?.['zod'] !== undefined)
    for (const artifact of able) checkVersion(artifact)
    if (able.length > 0) attachZodParser(schema, able)
  }

  function buildValidator(
    externals: Record<string, unknown>,
    options: ValidatorOptions,
  ): DefaultCompiler {
    const { plugins } = options
    takes.set(options, takes.get(options) ?? takeFrom(options))
    return pooled('validator', externals, options, () =>
      createCompiler(
        createUnitFactory('validator', externals, options, line),
        usesFilePlugin(plugins) ? describeFiles : undefined,
      ),
    )
  }

  function buildSerializer(
    externals: Record<string, unknown>,
    given: SerializerOptions | undefined,
  ): DefaultCompiler {
    const options = given ?? {}
    return pooled('serializer', externals, options, () =>
      createCompiler(createUnitFactory('serializer', externals, options, line)),
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

  /** @param finish called with each schema that a function was found or compiled for */
  function createCompiler(units: UnitFactory, finish?: (schema: object) => void): DefaultCompiler {
    const compile = compileInProcess
    const find = (target: CompileTarget, place?: Place): FoundFunction => {
      const found = findFunction(units, target, place)
      finish?.(target.schema)
      return found
    }
    // Routes find their functions. Only handlers call the compiler, except in development.
    const call = (target: CompileTarget): CompiledFunction => {
      const { schema, httpPart } = target
      const found = compile
        ? lookUp(units, target)
        : findFunction(units, target, undefined, IN_HANDLER)
      const compiled = found
        ? loadFunction(found)
        : (compile as DevelopmentCompiler)(units.unit(schema, httpPart), line)
      finish?.(schema)
      return compiled
    }
    return Object.assign(call, { ...(!compile && { find }), units: finish ? null : units })
  }

  /** Called while a request waits. */
  function loadFunction({ artifact, digest, take }: FoundFunction): CompiledFunction {
    try {
      return artifact.load(digest, take)
    } catch (error) {
      throw toClientError(toArtifactError(error))
    }
  }

  function bind(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
    findEach: FindFunctions,
  ): LoadFunctions {
    if (
      binding === undefined ||
      binding.validator !== validator ||
      binding.serializer !== serializer ||
      binding.isCustom !== isCustom
    ) {
      binding = createBinding(validator, serializer, isCustom)
    }
    // A HEAD twin uses the same functions.
    if (previous?.schema !== schema || previous.binding !== binding) {
      const find = findAll(schema, binding, findEach)
      previous = { schema, binding, load: () => loadAll(find) }
    }
    return previous.load
  }

  function findAll(schema: RouteSchema, binding: Binding, findEach: FindFunctions): FindFunctions {
    if (artifactError !== null) return failing(artifactError)
    const { artifact, take } = binding
    let readRoute
    try {
      readRoute = artifact?.findRoute(schema, binding)
    } catch (error) {
      const fault = toArtifactError(error)
      if (!defersErrors) throw fault
      artifactError = fault
      return failing(fault)
    }
    if (artifact === undefined || readRoute === undefined) {
      try {
        const found = findEach()
        return () => found
      } catch (error) {
        if (!defersErrors) throw error
        return failing(error)
      }
    }
    // The schemas are checked to be plain data for the first request: checking all of them at startup would take as long as the rest of
    // their comparison.
    return () =>
      readRoute().map(({ target, schema: part, digest }) => {
        if (!isExact(part)) throw inexact(target)
        return { target, artifact, digest, take }
      })
  }

  function failing(error: unknown): FindFunctions {
    return () => {
      throw error
    }
  }

  function loadAll(find: FindFunctions): readonly LoadedFunction[] {
    try {
      return find().map(({ target, artifact, digest, take }) => {
        return { target, compiled: artifact.load(digest, take) }
      })
    } catch (error) {
      throw toClientError(toArtifactError(error))
    }
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
      reading,
      validator,
      serializer,
      take: takeOf(validators),
      artifact: onlyArtifact(validator, serializer),
    }
  }

  /** Returns the function that passes the application's own functions to validators. */
  function takeOf(units: UnitFactory | undefined): TakeOption {
    return (units && takes.get(units.options)) ?? NOTHING
  }

  /** Describes which of the application's functions changed since the build. */
  function functionChange(units: UnitFactory): string | undefined {
    const { options } = units
    const take = takes.get(options)
    if (take !== undefined && !changes.has(options)) {
      const change = orDamaged(() => changeOf(artifacts, units, take))
      changes.set(options, change)
    }
    return changes.get(options)
  }

  /** Returns the artifact that may recognize whole routes. */
  function onlyArtifact(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
  ): Artifact | undefined {
    // `findRoute` skips `finish`, so these compilers have no units.
    if (validator?.units === null || serializer?.units === null) return undefined
    // Report changes schema by schema.
    if (artifactError === null && validator?.units && functionChange(validator.units))
      return undefined
    return artifacts.length === 1 ? artifacts[0] : undefined
  }

  /**
   * @param why the reason if no artifact contains it
   * @throws FST_ERR_AOT_*
   */
  function findFunction(
    units: UnitFactory,
    target: CompileTarget,
    place?: Place,
    why: string | UnitFactory = units,
  ): FoundFunction {
    const [other] = otherLines
    if (artifacts.length === 0 && other) throw otherLine(other, line)
    const found = lookUp(units, target)
    if (found !== undefined) return found
    throw missing(artifacts, target, place, functionChange(units) ?? why)
  }

  /** Returns undefined if no artifact contains the function. */
  function lookUp(
    units: UnitFactory,
    { schema, httpPart }: CompileTarget,
  ): FoundFunction | undefined {
    if (functionChange(units) !== undefined) return undefined
    for (const artifact of artifacts) {
      const lazyDigest = artifact.ofLazySchema?.(schema, units, httpPart)
      if (lazyDigest !== undefined) return { artifact, digest: lazyDigest, take: takeOf(units) }
    }
    const digest = units.digest(schema, httpPart)
    for (const artifact of artifacts) {
      if (orDamaged(() => artifact.has(digest))) return { artifact, digest, take: takeOf(units) }
    }
    return undefined
  }
}
