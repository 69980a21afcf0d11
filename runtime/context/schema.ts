import { cloneSchema, type SchemaReading, toPlain } from '../artifact/normalize.ts'
import type { DefaultCompilers } from '../compiled/model.ts'
import { explained } from '../artifact/registry.ts'
import { errorCodes } from '../errors/index.ts'
import type { ApplicationLine } from './line.ts'
import type { SerializerCompiler, ValidatorCompiler } from '../serve/model.ts'

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

interface Builder<Compiler> {
  build(externals: Record<string, unknown>, options: unknown): Compiler
  /** True if it returns the same compiler for the same schemas. */
  readonly isDefault: boolean
}

/** The options of a controller, which child contexts get too. */
interface Parts {
  readonly bucket: NonNullable<SchemaControllerOptions['bucket']>
  /** Default: the parent's. */
  readonly validator: Builder<ValidatorCompiler> | undefined
  readonly serializer: Builder<SerializerCompiler> | undefined
  /** The factory got its own validator factory, so header schemas are passed unchanged. */
  readonly isCustomValidator: boolean
  /** True if a compiler that is set stays in use when schemas are added. */
  readonly keepsCompilers: boolean
}

/** Creates the default bucket. `add` throws FST_ERR_SCH_MISSING_ID and FST_ERR_SCH_ALREADY_PRESENT. */
function createBucket(reading: SchemaReading, store: Record<string, unknown> = {}): SchemaBucket {
  return {
    add(input) {
      const schema = cloneSchema(toPlain(input)) as { $id?: string }
      const id = schema.$id
      if (!id) throw explained(new errorCodes.FST_ERR_SCH_MISSING_ID())
      if (store[id]) throw explained(new errorCodes.FST_ERR_SCH_ALREADY_PRESENT(id))
      store[id] = reading.shared(schema)
    },
    getSchema: (id) => store[id],
    getSchemas: () => ({ ...store }),
  }
}

/** The validator compiler or the serializer compiler of a context. */
class ContextCompiler<Compiler> {
  /** Inherited, set by the application, or built by `setup`. */
  current: Compiler | undefined
  readonly #schemas: SchemaController
  #builder: Builder<Compiler> | undefined
  readonly #parent: ContextCompiler<Compiler> | undefined
  #isBuilt = false

  constructor(
    schemas: SchemaController,
    builder: Builder<Compiler> | undefined,
    parent: ContextCompiler<Compiler> | undefined,
  ) {
    this.#schemas = schemas
    this.#builder = builder
    this.#parent = parent
    this.current = parent?.get()
  }

  get(): Compiler | undefined {
    return this.current || this.#parent?.get()
  }

  set(compiler: Compiler): void {
    this.current = compiler
    if (this.#schemas.parts.keepsCompilers) {
      this.#builder = { build: () => compiler, isDefault: false }
    }
  }

  /**
   * Ensures that there is a compiler. A context with its own schemas builds one for each route, even if the application has set another, as
   * Fastify 4.21 does. The default one is built once, because it would be the same.
   *
   * @param options the factory option `ajv` or `serializerOpts`
   */
  setup(options: unknown): void {
    if (this.current !== undefined && !this.#schemas.hasOwnSchemas) return
    const builder = this.#findBuilder()
    if (this.#isBuilt && builder.isDefault) return
    this.current = builder.build(this.#schemas.getSchemas(), options)
    this.#isBuilt = true
  }

  /** Returns the compiler for a schema of a handler. */
  provide(options: unknown): Compiler {
    if (!this.current) this.setup(options)
    return this.current as Compiler
  }

  #findBuilder(): Builder<Compiler> {
    return this.#builder ?? (this.#parent as ContextCompiler<Compiler>).#findBuilder()
  }
}

/** The shared schemas of a context, and the compilers for its routes. */
export class SchemaController {
  readonly validator: ContextCompiler<ValidatorCompiler>
  readonly serializer: ContextCompiler<SerializerCompiler>
  /** True to pass header schemas to the compiler unchanged. */
  isCustomValidator: boolean
  readonly parts: Parts
  readonly bucket: SchemaBucket
  /** A context with its own schemas needs its own compilers. */
  hasOwnSchemas = false

  constructor(parts: Parts, parent?: SchemaController) {
    this.parts = parts
    this.bucket = parent === undefined ? parts.bucket() : parts.bucket(parent.getSchemas())
    this.validator = new ContextCompiler(this, parts.validator, parent?.validator)
    this.serializer = new ContextCompiler(this, parts.serializer, parent?.serializer)
    this.isCustomValidator = parent?.isCustomValidator ?? parts.isCustomValidator
  }

  add(schema: object): void {
    this.hasOwnSchemas = true
    this.bucket.add(schema)
  }

  getSchema(id: string): unknown {
    return this.bucket.getSchema(id)
  }

  getSchemas(): Record<string, unknown> {
    return this.bucket.getSchemas()
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
    bucket: options?.bucket || ((parentSchemas) => createBucket(schemas, parentSchemas)),
    validator: builderOf(buildValidator, compilers.buildValidator.bind(compilers)),
    serializer: builderOf(buildSerializer, compilers.buildSerializer.bind(compilers)),
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

function builderOf<Compiler>(
  build: ((externals: Record<string, unknown>, options: unknown) => Compiler) | null | undefined,
  fallback?: unknown,
): Builder<Compiler> | undefined {
  if (build) return { build, isDefault: false }
  return fallback ? ({ build: fallback, isDefault: true } as Builder<Compiler>) : undefined
}
