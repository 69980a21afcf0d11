/**
 * A unit that cannot be compiled. The message is Ajv's or fast-json-stringify's own wherever they refuse the
 * schema, since it ends up in Fastify's `FST_ERR_SCH_VALIDATION_BUILD` and `FST_ERR_SCH_SERIALIZATION_BUILD`.
 */
export class EmitError extends Error {
  override readonly name = 'EmitError'
}

/** Whatever a compiler threw, as an EmitError with the same message. */
export function toEmitError(error: unknown): EmitError {
  if (error instanceof EmitError) return error
  return new EmitError(error instanceof Error ? error.message : String(error), { cause: error })
}
