/** The errors of validators, with the keys in the order in which Ajv writes them. */
import type { ValidatorError } from '../artifact/index.ts'

/** @param schema the path of the schema that the keyword stands in */
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

/** `minimum` and its kin. */
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

/** The errors of a part, found without knowing where it stands, at `path`. */
export function within(errors: readonly ValidatorError[], path: string): readonly ValidatorError[] {
  for (const error of errors) error.instancePath = path + error.instancePath
  return errors
}

/** The errors so far, with one more. */
export function collect(
  errors: readonly ValidatorError[] | null,
  error: ValidatorError,
): readonly ValidatorError[] {
  if (errors === null) return [error]
  ;(errors as ValidatorError[]).push(error)
  return errors
}

/** The errors so far, with those of a part at `path`. */
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

/** A validator, as far as its errors go. */
interface Failing {
  errors?: readonly ValidatorError[] | null
}

/** What callers may say about where the value stands. */
interface Place {
  readonly instancePath?: string | undefined
}

/** One of the functions above; what they take after the path of the schema differs. */
type Make = (
  instancePath: string,
  schema: string,
  first: never,
  second: never,
  third: never,
) => ValidatorError

/** Ends `validate` with an error that `make` makes of the rest. */
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

/** Ends `validate` with the errors of a part. */
export function failWithin(
  validate: Failing,
  { instancePath = '' }: Place = {},
  path: string,
  errors: readonly ValidatorError[],
): false {
  validate.errors = within(errors, instancePath + path)
  return false
}

/** A function that has not been called yet. */
export function asValidator<T extends Failing>(validate: T): T {
  validate.errors = null
  return validate
}
