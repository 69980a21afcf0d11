/** What Fastify 4.21 compiles in process. */
import { createRequire } from 'node:module'
import { copySchema } from '../../compiler/4-emit/copy.ts'
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'

const require = createRequire(import.meta.url)
const fromFastify = createRequire(require.resolve('fastify'))
const ajvCompilerFile = fromFastify.resolve('@fastify/ajv-compiler')

type Externals = Readonly<Record<string, unknown>>
type Compile<T> = (part: { schema: unknown }) => T
type ValidatorFactory = (
  externals: Externals,
  options: ValidatorOptions,
) => Compile<CompiledValidator>

const ajvCompiler = require(ajvCompilerFile) as () => ValidatorFactory

const serializerCompiler = fromFastify('@fastify/fast-json-stringify-compiler') as () => (
  externals: Externals,
  options: SerializerOptions,
) => Compile<CompiledSerializer>

/** Compiles as Fastify 4.21 does. */
export function compileWithOracle(unit: CompileUnit): CompiledValidator | CompiledSerializer {
  return createOracle(unit)(unit.schema)
}

/** One for many schemas, as the routes of a context share it. */
export function createOracle({
  kind,
  externals,
  options,
}: Pick<CompileUnit, 'kind' | 'externals' | 'options'>): (schema: unknown) => CompiledFunction {
  if (kind === 'serializer') return serializerOracle(externals, options as SerializerOptions)
  const given = options as ValidatorOptions
  const customOptions = { logger: false, ...given.customOptions }
  const factory = given.mode === '2019' || given.mode === '2020' ? draftCompiler : ajvCompiler()
  const compile = factory(copySchema(externals), { ...given, customOptions })
  return (schema) => compile({ schema: copySchema(schema) })
}

function serializerOracle(
  externals: Externals,
  options: SerializerOptions,
): (schema: unknown) => CompiledSerializer {
  const ajv = { logger: false, ...(options.ajv as object | undefined) }
  return (schema) => {
    // Version 5 keeps these two from the schema before, for the whole process.
    const given = { largeArraySize: 20_000, largeArrayMechanism: 'default', ...options, ajv }
    return serializerCompiler()(copySchema({ ...externals }), given)({ schema: copySchema(schema) })
  }
}

/** `@fastify/ajv-compiler` 3 knows draft-07 only: what it does, with another class of Ajv. */
function draftCompiler(
  externals: Externals,
  { mode, customOptions, plugins }: ValidatorOptions,
): Compile<CompiledValidator> {
  const fromCompiler = createRequire(ajvCompilerFile)
  const { default: Ajv } = fromCompiler(`ajv/dist/${String(mode)}`) as {
    default: new (options: object) => {
      addSchema(schema: unknown): void
      getSchema($id: string): CompiledValidator | undefined
      compile(schema: unknown): CompiledValidator
    }
  }
  const defaults = fromCompiler('./lib/default-ajv-options.js') as object
  const ajv = new Ajv({ ...defaults, ...customOptions })
  for (const entry of plugins) {
    const [plugin, ...options] = [entry].flat() as [Function, unknown]
    plugin(ajv, ...options)
  }
  ;(fromCompiler('ajv-formats') as Function)(ajv)
  for (const schema of Object.values(externals)) ajv.addSchema(schema)
  return ({ schema }) => {
    const { $id } = schema as { $id?: string }
    return ($id ? ajv.getSchema($id) : undefined) ?? ajv.compile(schema)
  }
}
