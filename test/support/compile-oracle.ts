/** Compiles validators and serializers in process, as Fastify 4.21 or the newest release of a line does. */
import { createRequire } from 'node:module'
import type { Ajv, SchemaObject } from 'ajv'
import { cloneSchema } from '../../runtime/artifact/normalize.ts'
import type {
  CompiledFunction,
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'
import type { LineName } from '../../runtime/artifact/lines.ts'

const require = createRequire(import.meta.url)
/** The names under which the Fastify lines are installed here. */
export const packages: Readonly<Record<LineName, string>> = {
  framework: 'fastify',
  'fastify@4': 'fastify-4',
  'fastify@5': 'fastify-5',
}

/** Returns a `require` that resolves as the Fastify of a line does. */
function requireOf(line: LineName): NodeRequire {
  return createRequire(require.resolve(packages[line]))
}

type Externals = Readonly<Record<string, unknown>>
type Compile<T> = (part: { schema: unknown }) => T
type ValidatorFactory = (
  externals: Externals,
  options: ValidatorOptions,
) => Compile<CompiledValidator>

type SerializerFactory = (
  externals: Externals,
  options: SerializerOptions,
) => Compile<CompiledSerializer>

/** Compiles as Fastify 4.21 does. */
export function compileWithOracle(unit: CompileUnit): CompiledValidator | CompiledSerializer {
  return createOracle(unit)(unit.schema)
}

/** Returns a compiler for many schemas, as the routes of a context share it. */
export function createOracle(
  { kind, externals, options }: Pick<CompileUnit, 'kind' | 'externals' | 'options'>,
  line: LineName = 'framework',
): (schema: unknown) => CompiledFunction {
  if (kind === 'serializer') return serializerOracle(externals, options as SerializerOptions, line)
  const given = options as ValidatorOptions
  const customOptions = { logger: false, ...given.customOptions }
  const isDraft = given.mode === '2019' || given.mode === '2020'
  const factory = isDraft
    ? draftCompiler
    : (requireOf(line)('@fastify/ajv-compiler') as () => ValidatorFactory)()
  const compile = factory(cloneSchema(externals), { ...given, customOptions })
  return (schema) => compile({ schema: cloneSchema(schema) })
}

function serializerOracle(
  externals: Externals,
  options: SerializerOptions,
  line: LineName,
): (schema: unknown) => CompiledSerializer {
  const ajv = { logger: false, ...(options.ajv as object | undefined) }
  const selector = requireOf(line)(
    '@fastify/fast-json-stringify-compiler',
  ) as () => SerializerFactory
  return (schema) => {
    // Otherwise version 5 keeps these two options of the previous schema.
    const given = { largeArraySize: 20_000, largeArrayMechanism: 'default', ...options, ajv }
    return selector()(cloneSchema({ ...externals }), given)({ schema: cloneSchema(schema) })
  }
}

/** Does what `@fastify/ajv-compiler` 3 does for draft-07, with another class of Ajv. */
function draftCompiler(
  externals: Externals,
  { mode, customOptions, plugins }: ValidatorOptions,
): Compile<CompiledValidator> {
  const fromCompiler = createRequire(requireOf('framework').resolve('@fastify/ajv-compiler'))
  const { default: Draft } = fromCompiler(`ajv/dist/${String(mode)}`) as { default: typeof Ajv }
  const defaults = fromCompiler('./lib/default-ajv-options.js') as object
  const ajv = new Draft({ ...defaults, ...customOptions })
  for (const entry of plugins) {
    const [plugin, ...options] = [entry].flat() as [Function, unknown]
    plugin(ajv, ...options)
  }
  ;(fromCompiler('ajv-formats') as Function)(ajv)
  for (const schema of Object.values(externals)) ajv.addSchema(schema as SchemaObject)
  return ({ schema }) => {
    const { $id } = schema as SchemaObject
    const known = $id ? ajv.getSchema($id) : undefined
    return (known ?? ajv.compile(schema as SchemaObject)) as CompiledValidator
  }
}
