import { Ajv } from 'ajv'
import framework, {
  type FastifyRouteSchemaDef,
  type FastifySchema,
  type FastifySchemaCompiler,
  type FastifySchemaControllerOptions,
  type FastifySchemaValidationError,
  type FastifySerializerCompiler,
  type FastifyValidationResult,
  type SchemaErrorFormatter,
} from 'framework'
import { same } from './expect.ts'

const app = framework()

// Any value can be a part's schema; other keys are refused unless they were declared.
const schema: FastifySchema = {
  body: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  querystring: { a: { type: 'number' } },
  params: undefined,
  headers: Symbol('understood by some compiler'),
  response: { 200: {}, '2xx': {}, default: { content: { 'text/plain': { schema: {} } } } },
}
app.get('/', { schema }, () => {})
app.get('/', { schema: undefined }, () => {})
// @ts-expect-error not a part
app.get('/', { schema: { bodies: {} } }, () => {})

// A validation function answers in one of Ajv's or Joi's ways.
const boolean: FastifyValidationResult = Object.assign(() => false, { errors: null })
const valued: FastifyValidationResult = (data) => ({ value: data })
const failed: FastifyValidationResult = () => ({ error: new Error() })
const later: FastifyValidationResult = async () => true

const ajv = new Ajv()
const compiler: FastifySchemaCompiler<FastifySchema> = ({ schema: part }) => ajv.compile(part)
app.setValidatorCompiler(compiler)
app.get('/', { validatorCompiler: compiler }, () => {})
app.setValidatorCompiler<object>((definition) => {
  same<FastifyRouteSchemaDef<object>>()(definition)
  return ajv.compile(definition.schema)
})
const serializer: FastifySerializerCompiler<FastifySchema> = () => (data) => JSON.stringify(data)
app.get('/', { serializerCompiler: serializer }, () => {})

// A compiler that reads the shared schemas of its context.
app.register(async (instance) => {
  instance.setValidatorCompiler(({ schema: part }) => {
    const shared = instance.getSchemas()
    return (data) => Object.keys(shared).length > 0 && data !== part
  })
  same<FastifySchemaCompiler<unknown> | undefined>()(
    instance.validatorCompiler as FastifySchemaCompiler<unknown> | undefined,
  )
})

const formatter: SchemaErrorFormatter = function (errors, dataVar) {
  same<FastifySchemaValidationError[]>()(errors)
  return new Error(`${dataVar}${errors[0]?.instancePath}`)
}
app.setSchemaErrorFormatter(formatter)
app.get('/', { schemaErrorFormatter: formatter }, () => {})
// @ts-expect-error must be synchronous
app.setSchemaErrorFormatter(async () => new Error())

const controller: FastifySchemaControllerOptions = {
  compilersFactory: { buildValidator: () => compiler, buildSerializer: () => serializer },
}
app.setSchemaController(controller)
