import type { ValidatorError } from '../artifact/index.ts'

/** The rejection of validators of `$async` schemas, with Ajv's fields. */
export class ValidationError extends Error {
  readonly errors: ValidatorError[]
  readonly ajv = true
  readonly validation = true

  constructor(errors: ValidatorError[]) {
    super('validation failed')
    this.errors = errors
  }
}
