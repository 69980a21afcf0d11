/** The check of schemas, which each instance of Ajv would compile for itself. */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import standaloneCode from 'ajv/dist/standalone/index.js'

/** The text of a CommonJS module that exports the function. */
export function draft07() {
  const ajv = new Ajv({ code: { source: true, lines: true } })
  addFormats.default(ajv)
  return standaloneCode.default(ajv, { isDraft07: 'http://json-schema.org/draft-07/schema' })
}
