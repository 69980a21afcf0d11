import type { HttpPart } from '../artifact/index.ts'
import { isThenable } from './hook-runners.ts'
import type {
  Failure,
  Request,
  SchemaErrorFormatter,
  ValidatorFunction,
  ValidatorResult,
} from './model.ts'
import type { RouteContext } from './route-context.ts'

type RequestProperty = 'params' | 'body' | 'query' | 'headers'

/** The order in which the parts of a request are checked. */
const order: readonly HttpPart[] = ['params', 'body', 'querystring', 'headers']

/** The validator of one part of a route's requests. */
export interface PartValidator {
  readonly httpPart: HttpPart
  readonly property: RequestProperty
  readonly validate: ValidatorFunction
  /**
   * It is made by Ajv or by us: it can be told where the value is, to write there what it makes of it, and a promise of
   * it says no more than whether the value is valid.
   */
  readonly isCompiled: boolean
}

/**
 * Keeps a validator in its place of the order.
 *
 * @param isOwn whether it is of a compiler of ours
 */
export function addValidator(
  route: RouteContext,
  httpPart: HttpPart,
  validate: ValidatorFunction,
  isOwn: boolean,
): void {
  const property = httpPart === 'querystring' ? 'query' : httpPart
  const isCompiled = isOwn || validate.schemaEnv !== undefined
  const entry = { httpPart, property, validate, isCompiled } as const
  const validators = (route.validators ??= [])
  const rank = order.indexOf(httpPart)
  const at = validators.findIndex((other) => order.indexOf(other.httpPart) > rank)
  if (at === -1) validators.push(entry)
  else validators.splice(at, 0, entry)
}

/** The validator of a part (`query` is `querystring`), or `undefined`. */
export function getValidator(route: RouteContext, part: string): ValidatorFunction | undefined {
  const httpPart = part === 'query' ? 'querystring' : part
  return route.validators?.find((entry) => entry.httpPart === httpPart)?.validate
}

/**
 * Checks params, body, querystring and headers, in that order; returns the error of the first part that
 * fails, or `null`. A validator that answers with a promise makes the rest asynchronous.
 *
 * Hot path: `validators` holds only the parts that have a schema, and nothing is allocated unless one fails.
 */
export function validateRequest(
  route: RouteContext,
  request: Request,
): Failure | null | PromiseLike<Failure | null> {
  return route.validators === null ? null : validateFrom(0, route.validators, route, request)
}

function validateFrom(
  start: number,
  validators: readonly PartValidator[],
  route: RouteContext,
  request: Request,
): Failure | null | PromiseLike<Failure | null> {
  for (let i = start; i < validators.length; i++) {
    const entry = validators[i] as PartValidator
    const { property, validate } = entry
    const given = request[property]
    // An absent body is checked as null: schemas can allow it with `nullable`.
    const value = given === undefined ? null : given
    const result = entry.isCompiled
      ? validate(value, {
          instancePath: '',
          parentData: request,
          parentDataProperty: property,
          rootData: value,
          dynamicAnchors: {},
        })
      : validate(value)
    if (isThenable(result)) {
      return result
        .then((settled) => lateFailureOf(settled, entry, request, value))
        .then(undefined, (reason: unknown) => reason)
        .then((failure) =>
          failure
            ? toError(failure, entry.httpPart, route.schemaErrorFormatter)
            : validateFrom(i + 1, validators, route, request),
        )
    }
    const failure = failureOf(result, entry, request)
    if (failure) return toError(failure, entry.httpPart, route.schemaErrorFormatter)
  }
  return null
}

/** What a validator found wrong; anything falsy means that the part is valid. */
function failureOf(result: ValidatorResult, entry: PartValidator, request: Request): unknown {
  if (result === true) return null
  // The function's `errors` are overwritten by its next call: they are taken now.
  if (result === false) return entry.validate.errors
  if (result?.error) return result.error
  if (result?.value) request[entry.property] = result.value as Request['headers']
  return null
}

/**
 * The same of a promise. Ajv fulfils it with what it has validated, which is the client's: nothing that stands in there
 * is an answer of the validator.
 */
function lateFailureOf(
  result: ValidatorResult,
  entry: PartValidator,
  request: Request,
  value: unknown,
): unknown {
  const isData = result !== false && (entry.isCompiled || result === value)
  return isData ? null : failureOf(result, entry, request)
}

function toError(failure: unknown, httpPart: string, format: SchemaErrorFormatter): Failure {
  if (failure instanceof Error) {
    const error = failure as Failure
    error.statusCode ||= 400
    error.code ||= 'FST_ERR_VALIDATION'
    error.validationContext ||= httpPart
    return error
  }
  const error = format(failure as unknown[], httpPart)
  error.statusCode ||= 400
  error.code ||= 'FST_ERR_VALIDATION'
  error.validation = failure
  error.validationContext = httpPart
  return error
}
