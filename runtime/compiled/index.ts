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
import { changeOf } from './function-change.ts'
import { artifactErrorCodes } from '../errors/index.ts'
import type { AotOptions } from '../types/options.ts'
import { registeredArtifacts } from './open-artifact.ts'
import { isZodType } from '../artifact/zod-digest.ts'
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

/** The default compilers of a root instance. */
export class CompilersOfArtifacts implements DefaultCompilers {
  readonly knowPlaces: boolean
  readonly #settings: AotOptions
  readonly #line: LineName
  readonly #reading: SchemaReading
  /** Contexts that see the same schemas share a compiler, as in Fastify. */
  readonly #pool = new Map<string, DefaultCompiler>()
  #compileInProcess: DevelopmentCompiler | undefined
  #artifacts: readonly Artifact[] = []
  /** Artifacts for other lines of Fastify. If this line has no artifact, the error mentions them. */
  #otherLines: readonly Artifact[] = []
  /** True if errors of routes are kept for their first request. */
  #defersErrors = false
  /** The artifact's error, if first requests should report it. */
  #artifactError: unknown = null
  #previous: BoundRoute | undefined
  /** The binding of the last route: neighbours usually have the same one. */
  #binding: Binding | undefined
  /** By options of validators. */
  readonly #takes = new WeakMap<object, TakeOption>()
  /** Results of `functionChange`, by options. */
  readonly #changes = new WeakMap<object, string | undefined>()

  constructor(
    settings: AotOptions = {},
    line: LineName = 'framework',
    reading: SchemaReading = fastify4Reading,
  ) {
    this.#settings = settings
    this.#line = line
    this.#reading = reading
    this.knowPlaces =
      !this.#isDevelopment() &&
      (settings.artifact !== undefined || registeredArtifacts().length > 0)
  }

  #isDevelopment(): boolean {
    return (
      this.#settings.mode === 'development' ||
      (this.#settings.mode === undefined && registeredDevelopment() !== undefined)
    )
  }

  /** @throws FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION */
  #openCompiler(): DevelopmentCompiler {
    const registered = registeredDevelopment()
    if (registered?.isProduction ?? process.env.NODE_ENV === 'production')
      throw new artifactErrorCodes.FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION(remedy())
    // A compiler of another realm, as in Jest, would use other classes than the application.
    return registered?.compile instanceof Function ? registered.compile : loadDevelopmentCompiler()
  }

  open(): void {
    if (this.#isDevelopment()) this.#compileInProcess = this.#openCompiler()
    const all = this.#settings.artifact ? [this.#settings.artifact] : registeredArtifacts()
    this.#artifacts = all.filter((artifact) => artifact.line === this.#line)
    this.#otherLines = all.filter((artifact) => artifact.line !== this.#line)
    for (const artifact of this.#artifacts) checkVersion(artifact)
    this.#defersErrors =
      this.#settings.check === 'first-request' &&
      this.#artifacts.length > 0 &&
      this.#compileInProcess === undefined
    try {
      for (const artifact of this.#artifacts) orDamaged(() => artifact.open())
      if (!this.#defersErrors)
        for (const artifact of this.#artifacts) orDamaged(() => artifact.verify())
    } catch (error) {
      if (!this.#defersErrors) throw error
      this.#artifactError = error
    }
  }

  attachParser(schema: unknown): void {
    if (!isZodType(schema) || this.#isDevelopment()) return
    const all = this.#settings.artifact ? [this.#settings.artifact] : registeredArtifacts()
    const able = all.filter((one) => one.line === this.#line && one.attachParser !== undefined)
    for (const artifact of able) checkVersion(artifact)
    able[0]?.attachParser?.(schema, able)
  }

  buildValidator(externals: Record<string, unknown>, options: ValidatorOptions): DefaultCompiler {
    const { plugins } = options
    this.#takes.set(options, this.#takes.get(options) ?? takeFrom(options))
    return this.#pooled('validator', externals, options, () =>
      this.#createCompiler(
        createUnitFactory('validator', externals, options, this.#line),
        usesFilePlugin(plugins) ? describeFiles : undefined,
      ),
    )
  }

  buildSerializer(
    externals: Record<string, unknown>,
    given: SerializerOptions | undefined,
  ): DefaultCompiler {
    const options = given ?? {}
    return this.#pooled('serializer', externals, options, () =>
      this.#createCompiler(createUnitFactory('serializer', externals, options, this.#line)),
    )
  }

  #pooled(
    kind: string,
    externals: object,
    options: object,
    create: () => DefaultCompiler,
  ): DefaultCompiler {
    const key = `${kind}${JSON.stringify(externals)}${JSON.stringify(options)}`
    let compiler = this.#pool.get(key)
    if (compiler === undefined) this.#pool.set(key, (compiler = create()))
    return compiler
  }

  /** @param finish called with each schema that a function was found or compiled for */
  #createCompiler(units: UnitFactory, finish?: (schema: object) => void): DefaultCompiler {
    const compile = this.#compileInProcess
    const find = (target: CompileTarget, place?: Place): FoundFunction => {
      const found = this.#findFunction(units, target, place)
      finish?.(target.schema)
      return found
    }
    // Routes find their functions. Only handlers call the compiler, except in development.
    const call = (target: CompileTarget): CompiledFunction => {
      const { schema, httpPart } = target
      const found = compile
        ? this.#lookUp(units, target)
        : this.#findFunction(units, target, undefined, IN_HANDLER)
      const compiled = found
        ? loadFunction(found)
        : (compile as DevelopmentCompiler)(units.unit(schema, httpPart), this.#line)
      finish?.(schema)
      return compiled
    }
    return Object.assign(call, { ...(!compile && { find }), units: finish ? null : units })
  }

  bind(
    schema: RouteSchema,
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
    findEach: FindFunctions,
  ): LoadFunctions {
    if (
      this.#binding === undefined ||
      this.#binding.validator !== validator ||
      this.#binding.serializer !== serializer ||
      this.#binding.isCustom !== isCustom
    ) {
      this.#binding = this.#createBinding(validator, serializer, isCustom)
    }
    // A HEAD twin uses the same functions.
    if (this.#previous?.schema !== schema || this.#previous.binding !== this.#binding) {
      const find = this.#findAll(schema, this.#binding, findEach)
      this.#previous = { schema, binding: this.#binding, load: () => loadAll(find) }
    }
    return this.#previous.load
  }

  #findAll(schema: RouteSchema, binding: Binding, findEach: FindFunctions): FindFunctions {
    if (this.#artifactError !== null) return failing(this.#artifactError)
    const { artifact, take } = binding
    let readRoute
    try {
      readRoute = artifact?.findRoute(schema, binding)
    } catch (error) {
      const fault = toArtifactError(error)
      if (!this.#defersErrors) throw fault
      this.#artifactError = fault
      return failing(fault)
    }
    if (artifact === undefined || readRoute === undefined) {
      try {
        const found = findEach()
        return () => found
      } catch (error) {
        if (!this.#defersErrors) throw error
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

  #createBinding(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
    isCustom: boolean,
  ): Binding {
    const validators = validator?.units ?? undefined
    const serializers = serializer?.units ?? undefined
    return {
      factories: { validators, serializers },
      isCustom,
      reading: this.#reading,
      validator,
      serializer,
      take: this.#takeOf(validators),
      artifact: this.#onlyArtifact(validator, serializer),
    }
  }

  /** Returns the function that passes the application's own functions to validators. */
  #takeOf(units: UnitFactory | undefined): TakeOption {
    return (units && this.#takes.get(units.options)) ?? NOTHING
  }

  /** Describes which of the application's functions changed since the build. */
  #functionChange(units: UnitFactory): string | undefined {
    const { options } = units
    const take = this.#takes.get(options)
    if (take !== undefined && !this.#changes.has(options)) {
      const change = orDamaged(() => changeOf(this.#artifacts, units, take))
      this.#changes.set(options, change)
    }
    return this.#changes.get(options)
  }

  /** Returns the artifact that may recognize whole routes. */
  #onlyArtifact(
    validator: DefaultCompilerInUse,
    serializer: DefaultCompilerInUse,
  ): Artifact | undefined {
    // `findRoute` skips `finish`, so these compilers have no units.
    if (validator?.units === null || serializer?.units === null) return undefined
    // Report changes schema by schema.
    if (this.#artifactError === null && validator?.units && this.#functionChange(validator.units))
      return undefined
    return this.#artifacts.length === 1 ? this.#artifacts[0] : undefined
  }

  /**
   * @param why the reason if no artifact contains it
   * @throws FST_ERR_AOT_*
   */
  #findFunction(
    units: UnitFactory,
    target: CompileTarget,
    place?: Place,
    why: string | UnitFactory = units,
  ): FoundFunction {
    const [other] = this.#otherLines
    if (this.#artifacts.length === 0 && other) throw otherLine(other, this.#line)
    const found = this.#lookUp(units, target)
    if (found !== undefined) return found
    throw missing(this.#artifacts, target, place, this.#functionChange(units) ?? why)
  }

  /** Returns undefined if no artifact contains the function. */
  #lookUp(units: UnitFactory, { schema, httpPart }: CompileTarget): FoundFunction | undefined {
    if (this.#functionChange(units) !== undefined) return undefined
    for (const artifact of this.#artifacts) {
      const lazyDigest = artifact.ofLazySchema?.(schema, units, httpPart)
      if (lazyDigest !== undefined)
        return { artifact, digest: lazyDigest, take: this.#takeOf(units) }
    }
    const digest = units.digest(schema, httpPart)
    for (const artifact of this.#artifacts) {
      if (orDamaged(() => artifact.has(digest)))
        return { artifact, digest, take: this.#takeOf(units) }
    }
    return undefined
  }
}

/** Called while a request waits. */
function loadFunction({ artifact, digest, take }: FoundFunction): CompiledFunction {
  try {
    return artifact.load(digest, take)
  } catch (error) {
    throw toClientError(toArtifactError(error))
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

function failing(error: unknown): FindFunctions {
  return () => {
    throw error
  }
}
