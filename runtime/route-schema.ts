import type { HttpPart } from './artifact/index.ts'
import { normalizeSchema, serializerParts, validatorParts } from './artifact/normalize.ts'
import type { Fail, RouteSchema } from './artifact/normalize.ts'
import { errorCodes } from './errors.ts'
import type {
  Instance,
  RouteOptions,
  SerializerCompiler,
  SerializerTarget,
  ValidatorCompiler,
  ValidatorTarget,
} from './model.ts'
import type { DeclaredRoute } from './declared-route.ts'
import type { RouteContext } from './route-context.ts'
import type { ContentSerializers } from './serialization.ts'
import { kContext } from './symbols.ts'
import { addValidator } from './validation.ts'
import { emitWarning } from './warnings.ts'

const fail: Fail = (rule, ...args) => {
  throw new errorCodes[rule](...args)
}

/**
 * A route gets ready: its schema is normalised, and its functions are compiled. Those that are only looked up
 * are checked, and loaded by `loadRoute`.
 *
 * @returns whether `loadRoute` is to be called before the first request
 * @throws FST_ERR_SCH_* and FST_ERR_AOT_*
 */
export function prepareRoute(
  route: DeclaredRoute,
): boolean {
  const { instance, options, url } = route
  const { schema, validatorCompiler, serializerCompiler } = options
  if (!schema || !route.schema) return false
  const { schemas, app } = instance[kContext]
  normalizeSchema(route.schema, instance.initialConfig, fail)

  const hasParts = schema.body || schema.headers || schema.querystring || schema.params
  if (!validatorCompiler && hasParts) schemas.setupValidator(app.options.ajv)
  const compileValidator = validatorCompiler || schemas.validatorCompiler
  try {
    if (compileValidator?.check === undefined) {
      compileValidators(route, compileValidator, isCustom(instance, options))
    } else if (compileValidator.checksEarly) {
      for (const target of validatorTargets(route, isCustom(instance, options))) {
        compileValidator.check(target, route.declaredAt)
      }
    }
    warnOfMissingParts(route)
  } catch (error) {
    throw asBuildError('FST_ERR_SCH_VALIDATION_BUILD', options.method, url, error)
  }

  if (schema.response && !serializerCompiler) schemas.setupSerializer(app.options.serializerOpts)
  const compileSerializer = serializerCompiler || schemas.serializerCompiler
  try {
    if (compileSerializer?.check === undefined) compileSerializers(route, compileSerializer)
    else if (compileSerializer.checksEarly) {
      for (const target of serializerTargets(route)) {
        compileSerializer.check(target, route.declaredAt)
      }
    }
  } catch (error) {
    throw asBuildError('FST_ERR_SCH_SERIALIZATION_BUILD', options.method, url, error)
  }
  return compileValidator?.check !== undefined || compileSerializer?.check !== undefined
}

/**
 * Loads the functions of a route that are looked up. All of them: what is missing or damaged fails before a hook
 * or a handler runs.
 *
 * @throws FST_ERR_AOT_*
 */
export function loadRoute(route: RouteContext, instance: Instance, options: RouteOptions): void {
  const { schemas } = instance[kContext]
  const compileValidator = options.validatorCompiler || schemas.validatorCompiler
  const compileSerializer = options.serializerCompiler || schemas.serializerCompiler
  if (compileValidator?.check !== undefined) {
    // Not empty when an earlier request failed half way.
    route.validators = null
    compileValidators(route, compileValidator, isCustom(instance, options))
  }
  if (compileSerializer?.check !== undefined) {
    route.serializers = null
    compileSerializers(route, compileSerializer)
  }
}

/** Whether header schemas go to the compiler as they are. */
function isCustom(instance: Instance, { validatorCompiler }: RouteOptions): boolean {
  return typeof validatorCompiler === 'function' || instance[kContext].schemas.isCustomValidator
}

function validatorTargets(route: RouteContext, isCustom: boolean): ValidatorTarget[] {
  const { method, url } = route.config
  const parts = validatorParts(route.schema as RouteSchema, isCustom)
  return parts.map(({ schema, httpPart }) => ({ schema, method, url, httpPart }))
}

function serializerTargets(route: RouteContext): SerializerTarget[] {
  const { method, url } = route.config
  const parts = serializerParts(route.schema as RouteSchema, fail)
  return parts.map(({ schema, httpStatus, contentType }) => {
    const target: SerializerTarget = { schema, url, method, httpStatus }
    if (contentType !== undefined) target.contentType = contentType
    return target
  })
}

function compileValidators(
  route: RouteContext,
  compile: ValidatorCompiler | undefined,
  isCustom: boolean,
): void {
  for (const target of validatorTargets(route, isCustom)) {
    addValidator(route, target.httpPart as HttpPart, (compile as ValidatorCompiler)(target))
  }
}

function compileSerializers(route: RouteContext, compile: SerializerCompiler | undefined): void {
  for (const target of serializerTargets(route)) {
    const serializer = (compile as SerializerCompiler)(target)
    const httpStatus = target.httpStatus as string
    const serializers = (route.serializers ??= {})
    if (target.contentType === undefined) {
      serializers[httpStatus] = serializer
    } else {
      const content = (serializers[httpStatus] ??= {}) as ContentSerializers
      content[target.contentType as string] = serializer
    }
  }
}

/** A part that is there but undefined is likely a mistake. */
function warnOfMissingParts(route: RouteContext): void {
  const schema = route.schema as RouteSchema
  if (!schema.headers && 'headers' in schema) warnOfMissing('headers', route)
  if (!schema.body && 'body' in schema) warnOfMissing('body', route)
  if (!schema.querystring && 'querystring' in schema) warnOfMissing('querystring', route)
  if (!schema.params && 'params' in schema) warnOfMissing('params', route)
}

function warnOfMissing(part: string, { config }: RouteContext): void {
  emitWarning('FSTWRN001', part, config.method, config.url)
}

/** What a compiler throws is named with its route; what the artifact lacks says so itself. */
function asBuildError(
  code: 'FST_ERR_SCH_VALIDATION_BUILD' | 'FST_ERR_SCH_SERIALIZATION_BUILD',
  method: string | string[],
  url: string,
  error: unknown,
): unknown {
  const own = (error as { code?: unknown }).code
  if (typeof own === 'string' && own.startsWith('FST_ERR_AOT_')) return error
  return new errorCodes[code](method, url, (error as Error).message)
}
