import type { ValidatorError } from '../artifact/index.ts'

/** What a validator of an `$async` schema rejects with; the fields are Ajv's. */
export class ValidationError extends Error {
  readonly errors: ValidatorError[]
  readonly ajv = true
  readonly validation = true

  constructor(errors: ValidatorError[]) {
    super('validation failed')
    this.errors = errors
  }
}
