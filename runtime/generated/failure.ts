/** Makes the errors of validators, with keys in Ajv's order. */
import type { ValidatorError } from '../artifact/index.ts'

/** @param schema the path of the schema with the keyword */
export function failure(
  instancePath: string,
  schema: string,
  keyword: string,
  params: Record<string, unknown>,
  message: string,
): ValidatorError {
  return { instancePath, schemaPath: `${schema}/${keyword}`, keyword, params, message }
}

export function typeFailure(instancePath: string, schema: string, type: string): ValidatorError {
  return failure(instancePath, schema, 'type', { type }, `must be ${type}`)
}

export function requiredFailure(
  instancePath: string,
  schema: string,
  missingProperty: string,
): ValidatorError {
  const message = `must have required property '${missingProperty}'`
  return failure(instancePath, schema, 'required', { missingProperty }, message)
}

export function enumFailure(
  instancePath: string,
  schema: string,
  allowedValues: unknown,
): ValidatorError {
  const message = 'must be equal to one of the allowed values'
  return failure(instancePath, schema, 'enum', { allowedValues }, message)
}

/** Adds the path of a nested value to its errors. */
export function within(errors: readonly ValidatorError[], path: string): readonly ValidatorError[] {
  for (const error of errors) error.instancePath = path + error.instancePath
  return errors
}

/** Adds the errors of a nested value at `path` to those so far. */
export function collectWithin(
  errors: readonly ValidatorError[] | null,
  more: readonly ValidatorError[],
  path: string,
): readonly ValidatorError[] {
  if (errors === null) return within(more, path)
  for (const error of more) {
    error.instancePath = path + error.instancePath
    ;(errors as ValidatorError[]).push(error)
  }
  return errors
}

interface Failing {
  errors?: readonly ValidatorError[] | null
}

/** Adds the property `errors`, which validators have before they are called. */
export function asValidator<T extends Failing>(validate: T): T {
  validate.errors = null
  return validate
}
