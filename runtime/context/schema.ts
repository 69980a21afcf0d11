import { cloneSchema, type SchemaReading, toPlain } from '../artifact/normalize.ts'
import type { AotSettings, DefaultCompilers } from '../compiled/index.ts'
import { explained } from '../artifact/registry.ts'
import { errorCodes } from '../errors/index.ts'
import type { ApplicationLine } from './line.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../serve/model.ts'

export type { AotSettings }

/** Stores the shared schemas of one context. */
export interface SchemaBucket {
  add(schema: object): void
  getSchema(id: string): unknown
  getSchemas(): Record<string, unknown>
}

export type BuildValidator = (
  externals: Record<string, unknown>,
  options: unknown,
) => ValidatorCompiler
export type BuildSerializer = (
  externals: Record<string, unknown>,
  options: unknown,
) => SerializerCompiler

/** The factory option `schemaController`, and the argument of `setSchemaController`. */
export interface SchemaControllerOptions {
  bucket?: ((parentSchemas?: Record<string, unknown>) => SchemaBucket) | undefined
  compilersFactory?:
    | {
        buildValidator?: BuildValidator | null | undefined
        buildSerializer?: BuildSerializer | null | undefined
      }
    | undefined
}

interface Builder<Build> {
  readonly build: Build
  /** True if it returns the same compiler for the same schemas. */
  readonly isDefault: boolean
}

/** The options of a controller, which child contexts get too. */
interface Parts {
  readonly bucket: NonNullable<SchemaControllerOptions['bucket']>
  /** Default: the parent's. */
  readonly validator: Builder<BuildValidator> | undefined
  readonly serializer: Builder<BuildSerializer> | undefined
  /** The factory got its own validator factory, so header schemas are passed unchanged. */
  readonly isCustomValidator: boolean
  /** True if a compiler that is set stays in use when schemas are added. */
  readonly keepsCompilers: boolean
}

/** The default bucket. */
class Bucket implements SchemaBucket {
  readonly store: Record<string, unknown>

  readonly #reading: SchemaReading

  constructor(reading: SchemaReading, parentSchemas: Record<string, unknown> = {}) {
    this.#reading = reading
    this.store = parentSchemas
  }

  /** @throws FST_ERR_SCH_MISSING_ID, FST_ERR_SCH_ALREADY_PRESENT */
  add(input: object): void {
    const schema = cloneSchema(toPlain(input)) as { $id?: string }
    const id = schema.$id
    if (!id) throw explained(new errorCodes.FST_ERR_SCH_MISSING_ID())
    if (this.store[id]) throw explained(new errorCodes.FST_ERR_SCH_ALREADY_PRESENT(id))
    this.store[id] = this.#reading.shared(schema)
  }

  getSchema(id: string): unknown {
    return this.store[id]
  }

  getSchemas(): Record<string, unknown> {
    return { ...this.store }
  }
}

/** The shared schemas of a context, and the compilers for its routes. */
export class SchemaController {
  /** Set while the application gets ready, unless the application sets its own. */
  validatorCompiler: ValidatorCompiler | undefined
  serializerCompiler: SerializerCompiler | undefined
  /** Pass header schemas to the compiler unchanged. */
  isCustomValidator: boolean
  readonly parts: Parts
  #validator: Parts['validator']
  #serializer: Parts['serializer']
  readonly bucket: SchemaBucket
  readonly #parent: SchemaController | undefined
  /** A context with its own schemas needs its own compilers. */
  #hasOwnSchemas = false
  #hasOwnValidator = false
  #hasOwnSerializer = false

  constructor(parts: Parts, parent?: SchemaController) {
    this.parts = parts
    this.#validator = parts.validator
    this.#serializer = parts.serializer
    this.#parent = parent
    this.bucket = parent === undefined ? parts.bucket() : parts.bucket(parent.getSchemas())
    this.validatorCompiler = parent?.getValidatorCompiler()
    this.serializerCompiler = parent?.getSerializerCompiler()
    this.isCustomValidator = parent?.isCustomValidator ?? parts.isCustomValidator
  }

  add(schema: object): void {
    this.#hasOwnSchemas = true
    this.bucket.add(schema)
  }

  getSchema(id: string): unknown {
    return this.bucket.getSchema(id)
  }

  getSchemas(): Record<string, unknown> {
    return this.bucket.getSchemas()
  }

  setValidatorCompiler(compiler: ValidatorCompiler): void {
    this.validatorCompiler = compiler
    this.isCustomValidator = true
    if (this.parts.keepsCompilers) this.#validator = { build: () => compiler, isDefault: false }
  }

  setSerializerCompiler(compiler: SerializerCompiler): void {
    this.serializerCompiler = compiler
    if (this.parts.keepsCompilers) this.#serializer = { build: () => compiler, isDefault: false }
  }

  getValidatorCompiler(): ValidatorCompiler | undefined {
    return this.validatorCompiler || this.#parent?.getValidatorCompiler()
  }

  getSerializerCompiler(): SerializerCompiler | undefined {
    return this.serializerCompiler || this.#parent?.getSerializerCompiler()
  }

  /**
   * Ensures that there is a validator compiler. A context with its own schemas builds one for each route that
   * asks, even if the application has set another, as Fastify 4.21 does.
   *
   * @param options the factory option `ajv`
   * @returns true if it built one
   */
  setupValidator(options: unknown): boolean {
    if (this.validatorCompiler !== undefined && !this.#hasOwnSchemas) return false
    const { build, isDefault } = this.#validatorBuilder()
    if (this.#hasOwnValidator && isDefault) return false
    this.validatorCompiler = build(this.getSchemas(), options)
    this.#hasOwnValidator = true
    return true
  }

  /**
   * @param options the factory option `serializerOpts`
   * @returns true if it built one
   */
  setupSerializer(options: unknown): boolean {
    if (this.serializerCompiler !== undefined && !this.#hasOwnSchemas) return false
    const { build, isDefault } = this.#serializerBuilder()
    if (this.#hasOwnSerializer && isDefault) return false
    this.serializerCompiler = build(this.getSchemas(), options)
    this.#hasOwnSerializer = true
    return true
  }

  #validatorBuilder(): Builder<BuildValidator> {
    return this.#validator ?? (this.#parent as SchemaController).#validatorBuilder()
  }

  #serializerBuilder(): Builder<BuildSerializer> {
    return this.#serializer ?? (this.#parent as SchemaController).#serializerBuilder()
  }
}

/** Creates the schema controller of a root instance. */
export function createSchemaController(
  options: SchemaControllerOptions | undefined,
  compilers: DefaultCompilers,
  { schemas, keepsCompilers }: Pick<ApplicationLine, 'schemas' | 'keepsCompilers'>,
): SchemaController {
  const { buildValidator, buildSerializer } = options?.compilersFactory ?? {}
  return new SchemaController({
    bucket: options?.bucket || ((parentSchemas) => new Bucket(schemas, parentSchemas)),
    validator: builderOf(buildValidator) ?? {
      build: compilers.buildValidator as unknown as BuildValidator,
      isDefault: true,
    },
    serializer: builderOf(buildSerializer) ?? {
      build: compilers.buildSerializer as unknown as BuildSerializer,
      isDefault: true,
    },
    isCustomValidator: typeof buildValidator === 'function',
    keepsCompilers,
  })
}

/** Implements `setSchemaController`: pieces that aren't given stay. */
export function replaceSchemaController(
  current: SchemaController,
  options: SchemaControllerOptions,
): SchemaController {
  const { bucket, compilersFactory } = options
  return new SchemaController(
    {
      ...current.parts,
      ...(bucket && { bucket }),
      ...(compilersFactory && {
        validator: builderOf(compilersFactory.buildValidator),
        serializer: builderOf(compilersFactory.buildSerializer),
      }),
    },
    current,
  )
}

function builderOf<Build>(build: Build | null | undefined): Builder<Build> | undefined {
  return build ? { build, isDefault: false } : undefined
}
