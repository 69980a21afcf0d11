/** Validates the parts of a request with the validators of its route. */
import type { HttpPart } from '../artifact/index.ts'
import { isThenable } from './hook-runners.ts'
import type { Line } from './line/index.ts'
import type {
  Failure,
  Request,
  SchemaErrorFormatter,
  ValidatorFunction,
  ValidatorResult,
  ValuePlace,
} from './model.ts'
import type { RouteContext } from './route-context.ts'

type RequestProperty = 'params' | 'body' | 'query' | 'headers'

const validationOrder: readonly HttpPart[] = ['params', 'body', 'querystring', 'headers']

/** The validator of a part of the request. */
export interface PartValidator {
  readonly httpPart: HttpPart
  readonly property: RequestProperty
  readonly validate: ValidatorFunction
  /** Set if the validator is for one media type of a body. */
  readonly contentType: string | undefined
  /**
   * True if the compiler of this package or Ajv made it. Such a validator takes a `ValuePlace`, and its promise only says whether the
   * value is valid.
   */
  readonly isCompiled: boolean
}

/**
 * Adds a validator to a route.
 *
 * @param isOwn whether a compiler of this package made it
 */
export function addValidator(
  route: RouteContext,
  httpPart: HttpPart,
  validate: ValidatorFunction,
  isOwn: boolean,
  contentType?: string,
): void {
  const property = httpPart === 'querystring' ? 'query' : httpPart
  // Ajv's validators have a `schemaEnv`.
  const isCompiled = isOwn || validate.schemaEnv !== undefined
  const entry = { httpPart, property, validate, contentType, isCompiled } as const
  const validators = (route.validators ??= [])
  const rank = validationOrder.indexOf(httpPart)
  const at = validators.findIndex((other) => validationOrder.indexOf(other.httpPart) > rank)
  if (at === -1) validators.push(entry)
  else validators.splice(at, 0, entry)
}

/** Returns the validator of a part, or those of a body by media type. `query` means `querystring`. */
export function getValidator(
  route: RouteContext,
  part: string,
): ValidatorFunction | Record<string, ValidatorFunction> | undefined {
  const httpPart = part === 'query' ? 'querystring' : part
  const found = route.validators?.filter((entry) => entry.httpPart === httpPart) ?? []
  if (found[0]?.contentType === undefined) return found[0]?.validate
  return Object.fromEntries(found.map((entry) => [entry.contentType, entry.validate]))
}

/** Validates params, body, querystring and headers. Returns the first error or `null`, as a promise if a validator is asynchronous. */
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
    const { contentType, property, validate } = entry
    if (contentType !== undefined && contentType !== request.mediaType) continue
    // A missing body is validated as `null`: schemas can allow it with `nullable`.
    const value = request[property] ?? null
    let result: ReturnType<ValidatorFunction>
    try {
      result = entry.isCompiled
        ? validate(value, placeOf(request, property, value))
        : validate(value)
    } catch (error) {
      if (!route.line.catchesValidators) throw error
      const failure = error as Failure
      failure.statusCode = 500
      return toError(failure, entry.httpPart, route.schemaErrorFormatter)
    }
    if (isThenable(result)) {
      return result
        .then((settled) => asyncFailureOf(settled, entry, route.line, request, value))
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

/** Returns the errors of a validator. Any falsy value means that the part is valid. */
function failureOf(result: ValidatorResult, entry: PartValidator, request: Request): unknown {
  if (result === true) return null
  // The next call of the function overwrites its `errors`.
  if (result === false) return entry.validate.errors
  if (result?.error) return result.error
  if (typeof result === 'object' && result !== null && 'value' in result) {
    request[entry.property] = result.value as Request['headers']
  }
  return null
}

/** Returns the errors of an asynchronous validator. Ajv fulfils with the validated data, which must not be read as a result. */
function asyncFailureOf(
  result: ValidatorResult,
  entry: PartValidator,
  line: Line,
  request: Request,
  value: unknown,
): unknown {
  const isData =
    result !== false && (entry.isCompiled || line.ignoresAsyncResults || result === value)
  return isData ? null : failureOf(result, entry, request)
}

function placeOf(request: Request, property: RequestProperty, value: unknown): ValuePlace {
  return {
    instancePath: '',
    parentData: request,
    parentDataProperty: property,
    rootData: value,
    dynamicAnchors: {},
  }
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
