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

/** The error of `minimum`, `maximum` and similar keywords. */
export function limitFailure(
  instancePath: string,
  schema: string,
  keyword: string,
  comparison: string,
  limit: number,
): ValidatorError {
  const message = `must be ${comparison} ${limit}`
  return failure(instancePath, schema, keyword, { comparison, limit }, message)
}

/** Adds the path of a part to its errors. */
export function within(errors: readonly ValidatorError[], path: string): readonly ValidatorError[] {
  for (const error of errors) error.instancePath = path + error.instancePath
  return errors
}

/** Adds an error to those so far. */
export function collect(
  errors: readonly ValidatorError[] | null,
  error: ValidatorError,
): readonly ValidatorError[] {
  if (errors === null) return [error]
  ;(errors as ValidatorError[]).push(error)
  return errors
}

/** Adds the errors of a part at `path` to those so far. */
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

/** The place of the value, as far as callers give it. */
interface Place {
  readonly instancePath?: string | undefined
}

/** One of the functions above. They differ in the arguments after the path of the schema. */
type Make = (
  instancePath: string,
  schema: string,
  first: never,
  second: never,
  third: never,
) => ValidatorError

/** Ends a validator with an error that `make` returns for the other arguments. */
export function fail(
  validate: Failing,
  { instancePath = '' }: Place = {},
  path: string,
  schema: string,
  make: Make,
  first: never,
  second: never,
  third: never,
): false {
  validate.errors = [make(instancePath + path, schema, first, second, third)]
  return false
}

/** Ends a validator with the errors of a part. */
export function failWithin(
  validate: Failing,
  { instancePath = '' }: Place = {},
  path: string,
  errors: readonly ValidatorError[],
): false {
  validate.errors = within(errors, instancePath + path)
  return false
}

/** Adds the property `errors`, which validators have before they are called. */
export function asValidator<T extends Failing>(validate: T): T {
  validate.errors = null
  return validate
}
