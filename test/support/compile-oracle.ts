/** What Fastify 4.21 compiles in process. */
import { createRequire } from 'node:module'
import { copySchema } from '../../compiler/4-emit/copy.ts'
import type {
  CompiledSerializer,
  CompiledValidator,
  CompileUnit,
  SerializerOptions,
  ValidatorOptions,
} from '../../runtime/artifact/index.ts'

const require = createRequire(import.meta.url)
const fromFastify = createRequire(require.resolve('fastify'))

type Externals = Readonly<Record<string, unknown>>
type Compile<T> = (part: { schema: unknown }) => T

const ajvCompiler = fromFastify('@fastify/ajv-compiler') as () => (
  externals: Externals,
  options: ValidatorOptions,
) => Compile<CompiledValidator>

const fastJsonStringify = require('fast-json-stringify') as (
  schema: unknown,
  options: object,
) => CompiledSerializer

/** Compiles as Fastify 4.21 does; serializers with the version of fast-json-stringify that we have. */
export function compileWithOracle(unit: CompileUnit): CompiledValidator | CompiledSerializer {
  const schema = copySchema(unit.schema)
  const externals = copySchema(unit.externals)
  if (unit.kind === 'validator') {
    const options = unit.options as ValidatorOptions
    const customOptions = { logger: false, ...options.customOptions }
    return ajvCompiler()(externals, { ...options, customOptions })({ schema })
  }
  const options = unit.options as SerializerOptions & { ajv?: object }
  const others = { ...externals }
  const { $id } = schema as { $id?: string }
  if ($id) delete others[$id]
  const ajv = { logger: false, ...options.ajv }
  return fastJsonStringify(schema, { ...options, ajv, schema: others })
}
