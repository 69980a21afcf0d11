import type { ValidatorError } from '../artifact/index.ts'
import { errorCodes } from '../errors/index.ts'
import { coerceToBoolean, coerceToInteger, coerceToString } from '../generated/coerce.ts'
import { failure, requiredFailure, typeFailure } from '../generated/failure.ts'

/** Defaults of the factory's options in all lines. */
export const defaultInitOptions = {
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  maxRequestsPerSocket: 0,
  requestTimeout: 0,
  bodyLimit: 1_048_576,
  caseSensitive: true,
  allowUnsafeRegex: false,
  disableRequestLogging: false,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 100,
  onProtoPoisoning: 'error',
  onConstructorPoisoning: 'error',
  pluginTimeout: 10_000,
  requestIdLogLabel: 'reqId',
  http2SessionTimeout: 72_000,
  exposeHeadRoutes: true,
} as const

/** Creates a check that converts a value as Ajv does with `coerceTypes: true`, which leaves arrays alone. */
function coercing(coerce: (value: unknown) => unknown, type: string): Check {
  return (value, path) =>
    (Array.isArray(value) ? undefined : coerce(value)) ?? wrongType(path, type)
}

export const toInteger: Check = coercing(coerceToInteger, 'integer')
export const toBoolean: Check = coercing(coerceToBoolean, 'boolean')
export const toText: Check = coercing(coerceToString, 'string')

/** Checks of the factory's options, in the order of validation. `null` keeps the place of an option that each line checks in its own way, or not at all. */
export const commonChecks: Checks = {
  connectionTimeout: toInteger,
  keepAliveTimeout: toInteger,
  forceCloseConnections: toForceClose,
  // The option is nullable, and Ajv coerces '' to null.
  maxRequestsPerSocket: (value, path) =>
    value === null || value === '' ? null : toInteger(value, path),
  requestTimeout: toInteger,
  handlerTimeout: null,
  bodyLimit: toInteger,
  caseSensitive: toBoolean,
  allowUnsafeRegex: toBoolean,
  http2: toBoolean,
  https: toHttps,
  ignoreTrailingSlash: toBoolean,
  ignoreDuplicateSlashes: toBoolean,
  disableRequestLogging: toBoolean,
  jsonShorthand: null,
  maxParamLength: toInteger,
  onProtoPoisoning: toText,
  onConstructorPoisoning: toText,
  pluginTimeout: toInteger,
  requestIdHeader: null,
  requestIdLogLabel: toText,
  http2SessionTimeout: toInteger,
  exposeHeadRoutes: toBoolean,
  useSemicolonDelimiter: null,
  routerOptions: null,
  versioning: null,
  constraints: toConstraints,
}

/** The members of `instance.initialConfig` that the runtime reads. */
interface InitialConfig {
  readonly bodyLimit: number
  readonly jsonShorthand: boolean
  readonly http2SessionTimeout: number
  readonly exposeHeadRoutes: boolean
}

/** An invalid option, described as Ajv would. */
export class Problem {
  readonly errors: ValidatorError[]

  constructor(...errors: ValidatorError[]) {
    this.errors = errors
  }
}

/** Returns the valid value of an option, or a problem. `path` names the option. */
export type Check = (value: unknown, path: string) => unknown

type Checks = Readonly<Record<string, Check | null>>

/** The options of a line, in the order of validation: the first problem is reported. */
export interface ConfigRules {
  readonly defaults: Readonly<Record<string, unknown>>
  /** `null` for options that the line doesn't have. They are ignored. */
  readonly checks: Checks
}

/**
 * Validates the factory's options, fills in the defaults and freezes the result. Unknown options are left
 * out. Values are coerced as Ajv does.
 *
 * @throws FST_ERR_INIT_OPTS_INVALID with the problems in `errors`
 */
export function createInitialConfig(
  options: object,
  { defaults, checks }: ConfigRules,
): InitialConfig {
  if (Array.isArray(options)) throw invalid(new Problem(typeFailure('', '#', 'object')))
  const config: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(options)) {
    if (Object.hasOwn(checks, key) && checks[key]) config[key] = value
  }
  for (const [key, value] of Object.entries(defaults)) {
    if (config[key] === undefined) config[key] = value
  }
  for (const [key, check] of Object.entries(checks)) {
    if (config[key] === undefined || check === null) continue
    const value = check(config[key], key)
    if (value instanceof Problem) throw invalid(value)
    config[key] = value
  }
  return Object.freeze(config) as unknown as InitialConfig
}

function invalid({ errors }: Problem): Error {
  const messages = JSON.stringify(errors.map(({ message }) => message))
  return Object.assign(new errorCodes.FST_ERR_INIT_OPTS_INVALID(messages), { errors })
}

/**
 * Fastify's schema is `oneOf: [{ type: 'string', pattern: 'idle' }, { type: 'boolean' }]`. Ajv coerces to a string first, and tries
 * the boolean with the result, so `0` becomes `'0'` and is invalid.
 */
function toForceClose(value: unknown, path: string): unknown {
  const text = toText(value, path)
  if (typeof text === 'string' && text.includes('idle')) return text
  const boolean = toBoolean(typeof text === 'string' ? text : value, path)
  if (!(boolean instanceof Problem)) return boolean
  const at = `/${path}`
  const schema = `#/properties/${path}`
  const pattern = 'idle'
  const mustMatchOne = 'must match exactly one schema in oneOf'
  return new Problem(
    typeof text === 'string'
      ? failure(at, `${schema}/oneOf/0`, 'pattern', { pattern }, 'must match pattern "idle"')
      : typeFailure(at, `${schema}/oneOf/0`, 'string'),
    typeFailure(at, `${schema}/oneOf/1`, 'boolean'),
    failure(at, schema, 'oneOf', { passingSchemas: null }, mustMatchOne),
  )
}

/**
 * Keeps only `allowHTTP1`, since other members are secret. All else becomes `true`, also `false` and `null`: Ajv coerces each to
 * match two branches of Fastify's `oneOf`. `''` becomes `null`.
 */
function toHttps(value: unknown): unknown {
  if (value === '') return null
  if (!isObject(value)) return true
  const allowHTTP1 = value['allowHTTP1'] === undefined ? null : toBoolean(value['allowHTTP1'], '')
  return typeof allowHTTP1 === 'boolean' ? Object.freeze({ allowHTTP1 }) : true
}

function toConstraints(value: unknown, path: string): unknown {
  if (!isObject(value)) return wrongType(path, 'object')
  const constraints = copy(value)
  const schema = `#/properties/${path}/additionalProperties`
  for (const [key, strategy] of Object.entries(constraints)) {
    const at = `/${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!isObject(strategy)) return new Problem(typeFailure(at, schema, 'object'))
    const needed = ['name', 'storage', 'validate', 'deriveConstraint']
    const problem = missing(strategy, needed, at, schema)
    if (problem) return problem
    const name = toText(strategy['name'], '')
    if (name instanceof Problem) {
      return new Problem(typeFailure(`${at}/name`, `${schema}/properties/name`, 'string'))
    }
    strategy['name'] = name
  }
  return freezeDeep(constraints)
}

export function missing(
  value: Fields,
  properties: string[],
  at: string,
  schema: string,
): Problem | undefined {
  const property = properties.find((name) => value[name] === undefined)
  if (property === undefined) return undefined
  return new Problem(requiredFailure(at, schema, property))
}

export function wrongType(path: string, type: string): Problem {
  return new Problem(typeFailure(`/${path}`, `#/properties/${path}`, type))
}

export type Fields = Record<string, unknown>

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies objects deeply, preserving cycles. */
export function copy(
  value: Fields,
  copies: Map<object, object> = new Map<object, object>(),
): Fields {
  const result: Fields = {}
  copies.set(value, result)
  for (const [key, member] of Object.entries(value)) {
    result[key] = isPlain(member) ? (copies.get(member) ?? copy(member, copies)) : member
  }
  return result
}

export function freezeDeep(value: Fields): Fields {
  if (Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) if (isPlain(member)) freezeDeep(member)
  return value
}

/** Returns true for objects that consist of their own properties, such as strategies, unlike Date, Map or Buffer. */
function isPlain(value: unknown): value is Fields {
  return Object.prototype.toString.call(value) === '[object Object]'
}
