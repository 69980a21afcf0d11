/** Compares the code that Ajv writes with and without our counting of names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnySchema, type Options, Ajv } from 'ajv'
import { CodeGen } from 'ajv/dist/compile/codegen/index.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { countNamesOnce } from '../../../compiler/4-emit/validator/count-names.ts'
import type { Feature } from '../../support/random-keywords.ts'
import { externalsCase, schemaCase } from '../../support/random-schemas.ts'
import { runs } from '../../support/runs.ts'

const features: readonly Feature[] = ['$data', 'references']

const own = CodeGen.prototype.optimize

const options: readonly Options[] = [
  { strict: false },
  { strict: false, allErrors: true, coerceTypes: 'array', useDefaults: true },
  { strict: false, $data: true, verbose: true, code: { optimize: 3, es5: true } },
  { strict: false, unevaluated: true, ownProperties: true, removeAdditional: true },
]

test('the code is the same', (t) => {
  t.after(() => (CodeGen.prototype.optimize = own))
  const schemas = fc.tuple(externalsCase(features), schemaCase(features))
  fc.assert(
    fc.property(schemas, fc.constantFrom(...options), ([externals, schema], given) => {
      CodeGen.prototype.optimize = own
      const expected = codeOf(schema, externals, given)
      countNamesOnce()
      assert.notEqual(CodeGen.prototype.optimize, own)
      assert.equal(codeOf(schema, externals, given), expected)
    }),
    runs(60),
  )
})

/** Returns the code of a schema and of its references, or Ajv's message. */
function codeOf(schema: object, externals: object, given: Options): string {
  let code = ''
  const process = (text: string): string => ((code += `${text}\n`), text)
  const ajv = new Ajv({ ...given, logger: false, code: { ...given.code, process } })
  ;(addFormats as unknown as typeof addFormats.default)(ajv)
  try {
    for (const one of Object.values(externals)) ajv.addSchema(structuredClone(one) as AnySchema)
    ajv.compile(structuredClone(schema) as AnySchema)
  } catch (error) {
    code += (error as Error).message
  }
  return code
}
