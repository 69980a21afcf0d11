/** The check of schemas against draft-07, without what it costs Ajv to begin with one. */
import type { Ajv } from 'ajv'
import { isDraft07 } from '#draft-07'

/** In the JSON of schemas that may refer to the one that they are checked by, in whatever spelling. */
const MAY_NAME_META = /json-schema\.org|%/i

/**
 * Has an instance of Ajv, with options that change nothing about it, look only at schemas that are wrong, to say what is. To
 * compile what it checks by takes as long as ten other schemas.
 */
export function checkQuickly(ajv: Ajv): void {
  const validateSchema = ajv.validateSchema.bind(ajv)
  ajv.validateSchema = (schema, throws) =>
    (!(typeof schema === 'object' && '$schema' in schema) && isDraft07(schema)) ||
    validateSchema(schema, throws)
}

/**
 * Has such an instance compile what it checks by, if schemas may refer to that: otherwise they would get it compiled like one of
 * their own, with conversions and defaults.
 *
 * @param text the JSON of the schemas
 */
export function compileMetaFor(ajv: Ajv, text: string): void {
  if (MAY_NAME_META.test(text)) ajv.defaultMeta()
}
