/** Checks schemas against draft-07 by a validator that was compiled with this package. */
import type { Ajv } from 'ajv'
import { isDraft07 } from '#draft-07'

/** Matches the JSON of schemas that may refer to the meta-schema, in any spelling. */
const MAY_NAME_META = /json-schema\.org|%/i

/**
 * Makes an instance of Ajv check only schemas that are invalid, for the error message, or that name a meta-schema. Compiling that takes
 * 20 ms. The options of the instance must not affect the check.
 */
export function checkQuickly(ajv: Ajv): void {
  const validateSchema = ajv.validateSchema.bind(ajv)
  ajv.validateSchema = (schema, throws) =>
    (!(typeof schema === 'object' && '$schema' in schema) && isDraft07(schema)) ||
    validateSchema(schema, throws)
}

/**
 * Compiles the meta-schema if schemas may refer to it. Ajv would compile it later as one of theirs, with coercion and defaults.
 *
 * @param text the JSON of the schemas
 */
export function compileMetaFor(ajv: Ajv, text: string): void {
  if (MAY_NAME_META.test(text)) ajv.defaultMeta()
}
