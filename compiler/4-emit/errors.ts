/**
 * A unit can't be compiled. If Ajv or fast-json-stringify refuse the schema, the message is theirs: in development, it becomes
 * part of `FST_ERR_SCH_VALIDATION_BUILD` or `FST_ERR_SCH_SERIALIZATION_BUILD`.
 */
export class EmitError extends Error {
  override readonly name = 'EmitError'
}

/** Converts an error of a compiler to an EmitError with the same message. */
export function toEmitError(error: unknown): EmitError {
  if (error instanceof EmitError) return error
  return new EmitError(error instanceof Error ? error.message : String(error), { cause: error })
}

export function orEmitError<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw toEmitError(error)
  }
}

/** Rephrases the message of an EmitError. */
export function rephrase<T>(run: () => T, message: (original: string) => string): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof EmitError)) throw error
    throw new EmitError(message(error.message), { cause: error })
  }
}
