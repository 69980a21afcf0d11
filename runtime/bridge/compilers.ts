/**
 * The `schemaController.compilersFactory` for Fastify: looks functions up in the artifact. Schemas that the
 * artifact lacks are left to Fastify's own compilers, which are loaded only then, so no request goes
 * unvalidated.
 */
import type {
  Artifact,
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
  Digest,
  SerializerOptions,
  TakeOption,
  ValidatorOptions,
} from '../artifact/index.ts'
import { DamagedArtifactError } from '../artifact/files.ts'
import type { UnitFactory } from '../artifact/units.ts'
import { createUnitFactory } from '../artifact/units.ts'
import type { FastifyLine, FastifySerializing } from '../artifact/lines.ts'
import { describeFiles, usesFilePlugin } from '../compiled/file-schemas.ts'
import { changeOf } from '../compiled/function-change.ts'
import { takeFrom } from '../compiled/take-option.ts'
import { lowerHeaderNames } from '../artifact/header-names.ts'
import { isPlainObject } from '../artifact/json.ts'
import type { Kind } from './modules.ts'
import type { Target } from './compile-target.ts'

type Externals = Readonly<Record<string, unknown>>

export type Compile = (target: Target) => CompiledFunction

/** Creates a compiler for contexts with these shared schemas. */
export type Build<Options> = (externals: Externals, options: Options) => Compile

/** Fastify's own compiler. Its options aren't used here. */
export type FastifyBuild = Build<unknown>

export interface Compilers {
  readonly buildValidator: Build<ValidatorOptions>
  readonly buildSerializer: Build<SerializerOptions | undefined>
}

interface CompilerDependencies {
  readonly artifact: Artifact
  readonly line: FastifyLine
  /** The release that the serializers match. */
  readonly serializers: FastifySerializing
  /** Converts the names in header schemas to lower case, which Fastify leaves to compilers from options. */
  readonly lowersHeaders: boolean
  /** Fastify's own compilers, loaded by their first call. */
  readonly fastify: Readonly<Record<keyof Compilers, FastifyBuild>>
  /** Returns whether functions of that kind match the ones that Fastify would compile. */
  fits(kind: Kind): boolean
  /** Reports what the artifact lacks. Throws in strict mode. */
  reportMiss(target: Target, why: string | UnitFactory): void
}

const NO_OPTIONS: TakeOption = () => undefined

export function createCompilers(dependencies: CompilerDependencies): Compilers {
  const { artifact, line, serializers, fastify } = dependencies
  const changes = new WeakMap<object, string | undefined>()
  return { buildValidator: pooled(buildValidator), buildSerializer: pooled(buildSerializer) }

  function buildValidator(externals: Externals, options: ValidatorOptions): Compile {
    const units = createUnitFactory('validator', externals, options, line)
    const take = takeFrom(options)
    const describe = usesFilePlugin(options.plugins) ? describeFiles : undefined
    const compileWithFastify = onFirstCall(() => fastify.buildValidator(externals, options))
    return (target) => {
      const lowered = { ...target, schema: lowerHeaders(target) }
      const digest = find('validator', units, lowered, take)
      if (digest === undefined) return compileWithFastify(lowered)
      describe?.(target.schema)
      return lazyValidator(lowered.schema, () => load(digest, take, lowered, compileWithFastify))
    }
  }

  function buildSerializer(externals: Externals, given: SerializerOptions | undefined): Compile {
    const units = createUnitFactory('serializer', externals, given ?? {}, serializers)
    const compileWithFastify = onFirstCall(() => fastify.buildSerializer(externals, given))
    return (target) => {
      const digest = find('serializer', units, target)
      if (digest === undefined) return compileWithFastify(target)
      return lazySerializer(() => load(digest, NO_OPTIONS, target, compileWithFastify))
    }
  }

  function lowerHeaders({ httpPart, schema }: Target): unknown {
    const isToLower = dependencies.lowersHeaders && httpPart === 'headers' && isPlainObject(schema)
    return isToLower ? lowerHeaderNames[line](schema) : schema
  }

  /** Finds the target's function without loading it. A missing one is reported. */
  function find(
    kind: Kind,
    units: UnitFactory,
    target: Target,
    take?: TakeOption,
  ): Digest | undefined {
    if (!dependencies.fits(kind)) return undefined
    try {
      const change = take && functionChange(units, take)
      const digest = change === undefined ? digestIn(units, target.schema) : undefined
      if (digest === undefined) dependencies.reportMiss(target, change ?? units)
      return digest
    } catch (error) {
      if (!(error instanceof DamagedArtifactError)) throw error
      dependencies.reportMiss(target, error.message)
      return undefined
    }
  }

  /** Describes which of the application's functions changed since the build. */
  function functionChange(units: UnitFactory, take: TakeOption): string | undefined {
    const { options } = units
    if (!changes.has(options)) changes.set(options, changeOf([artifact], units, take))
    return changes.get(options)
  }

  function digestIn(units: UnitFactory, schema: unknown): Digest | undefined {
    const isSchema = (typeof schema === 'object' && schema !== null) || typeof schema === 'boolean'
    const digest = isSchema ? digestOf(units, schema as object) : undefined
    return digest !== undefined && artifact.has(digest) ? digest : undefined
  }

  /** Loads a function. Called for its first value, while a request waits. */
  function load(
    digest: Digest,
    take: TakeOption,
    target: Target,
    compileWithFastify: Compile,
  ): CompiledFunction {
    try {
      return artifact.load(digest, take)
    } catch (error) {
      if (!(error instanceof DamagedArtifactError)) throw error
      dependencies.reportMiss(target, error.message)
      return compileWithFastify(target)
    }
  }
}

/** Returns undefined for a schema without JSON: the compiler reports the error. */
function digestOf(units: UnitFactory, schema: object): Digest | undefined {
  try {
    return units.digest(schema)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Contexts with the same schemas share a compiler, as in Fastify. In a context with shared schemas, Fastify calls this for
 * each route, mostly with the schemas of the last call.
 */
function pooled<Options>(build: Build<Options>): Build<Options> {
  const pools = new Map<Options, Map<string, Compile>>()
  let last: Last<Options> | undefined
  return (externals, options) => {
    if (last === undefined || last.options !== options || !areSame(last.externals, externals)) {
      let pool = pools.get(options)
      if (pool === undefined) pools.set(options, (pool = new Map()))
      const key = JSON.stringify(externals)
      let compile = pool.get(key)
      if (compile === undefined) pool.set(key, (compile = build(externals, options)))
      last = { externals, options, compile }
    }
    return last.compile
  }
}

interface Last<Options> {
  readonly externals: Externals
  readonly options: Options
  readonly compile: Compile
}

function areSame(one: Externals, other: Externals): boolean {
  const ids = Object.keys(other)
  return (
    Object.keys(one).length === ids.length && ids.every((id) => one[id] === other[id] && id in one)
  )
}

/** Creates a function on its first call. */
export function onFirstCall<Args extends unknown[], Result>(
  create: () => (...args: Args) => Result,
): (...args: Args) => Result {
  let created: ((...args: Args) => Result) | undefined
  return (...args) => (created ??= create())(...args)
}

/** A validator that is loaded for its first value, with the properties that Fastify reads. */
function lazyValidator(schema: unknown, load: () => CompiledFunction): CompiledValidator {
  let compiled: CompiledValidator | undefined
  const validate = function (this: unknown, data: unknown, place?: unknown) {
    compiled ??= load() as CompiledValidator
    const result = compiled.call(this, data, place)
    validate.errors = compiled.errors ?? null
    return result
  } as CompiledValidator & { schema: unknown; schemaEnv: unknown }
  validate.errors = null
  validate.schema = schema
  // Fastify 5 reads from it that the validator can write to the parent of its value.
  validate.schemaEnv = { schema }
  return validate
}

function lazySerializer(load: () => CompiledFunction): CompiledSerializer {
  let compiled: CompiledSerializer | undefined
  return (data) => (compiled ??= load() as CompiledSerializer)(data)
}
