import { normalizeSchema, serializerParts, validatorParts } from './artifact/normalize.ts'
import type { Fail } from './artifact/normalize.ts'
import { errorCodes } from './errors.ts'
import type {
  Compiler,
  Instance,
  RouteOptions,
  SerializerCompiler,
  SerializerTarget,
  ValidatorCompiler,
  ValidatorTarget,
} from './model.ts'
import type { RouteContext } from './route-context.ts'
import { LazySerializer, type ContentSerializers } from './serialization.ts'
import { kContext } from './symbols.ts'
import { addValidator } from './validation.ts'
import { emitWarning } from './warnings.ts'

const fail: Fail = (rule, ...args) => {
  throw new errorCodes[rule](...args)
}

/**
 * Gets the validators and serializers of a route.
 *
 * @throws FST_ERR_SCH_* and FST_ERR_AOT_*
 */
export function compileRoute(
  route: RouteContext,
  instance: Instance,
  options: RouteOptions,
  url: string,
): void {
  const { schema } = options
  if (!schema || !route.schema) return
  const { schemas, app } = instance[kContext]
  route.schema = normalizeSchema(route.schema, instance.initialConfig, fail)
  const { validatorCompiler, serializerCompiler } = options

  if (
    !validatorCompiler &&
    (schema.body || schema.headers || schema.querystring || schema.params)
  ) {
    schemas.setupValidator(app.options.ajv)
  }
  try {
    const isCustom = typeof validatorCompiler === 'function' || schemas.isCustomValidator
    compileValidators(route, validatorCompiler || schemas.validatorCompiler, isCustom)
  } catch (error) {
    throw asBuildError('FST_ERR_SCH_VALIDATION_BUILD', options.method, url, error)
  }

  if (schema.response && !serializerCompiler) schemas.setupSerializer(app.options.serializerOpts)
  try {
    compileSerializers(route, serializerCompiler || schemas.serializerCompiler)
  } catch (error) {
    throw asBuildError('FST_ERR_SCH_SERIALIZATION_BUILD', options.method, url, error)
  }
}

function compileValidators(
  route: RouteContext,
  compile: ValidatorCompiler | undefined,
  isCustom: boolean,
): void {
  const schema = route.schema as NonNullable<RouteContext['schema']>
  const { method, url } = route.config
  for (const part of validatorParts(schema, isCustom)) {
    const target: ValidatorTarget = { schema: part.schema, method, url, httpPart: part.httpPart }
    const load = prepare(compile as ValidatorCompiler, target, route)
    if (load !== null) addValidator(route, part.httpPart, null, load)
    else addValidator(route, part.httpPart, (compile as ValidatorCompiler)(target), null)
  }
  for (const part of ['headers', 'body', 'querystring', 'params']) {
    if (!schema[part] && Object.hasOwn(schema, part)) emitWarning('FSTWRN001', part, method, url)
  }
}

function compileSerializers(route: RouteContext, compile: SerializerCompiler | undefined): void {
  const { method, url } = route.config
  const parts = serializerParts(route.schema as NonNullable<RouteContext['schema']>, fail)
  for (const { schema, httpStatus, contentType } of parts) {
    const target: SerializerTarget = { schema, url, method, httpStatus }
    if (contentType !== undefined) target.contentType = contentType
    const load = prepare(compile as SerializerCompiler, target, route)
    if (load !== null) route.isUnloaded = true
    const serializer =
      load === null ? (compile as SerializerCompiler)(target) : new LazySerializer(load)
    const serializers = (route.serializers ??= {})
    if (contentType === undefined) {
      serializers[httpStatus] = serializer
    } else {
      const content = (serializers[httpStatus] ??= {}) as ContentSerializers
      content[contentType] = serializer
    }
  }
}

/** `null` when the compiler has to compile now. */
function prepare<Target, Compiled>(
  compile: Compiler<Target, Compiled>,
  target: Target,
  { declaredAt }: RouteContext,
): (() => Compiled) | null {
  if (typeof compile.prepare !== 'function') return null
  return compile.prepare(declaredAt === undefined ? target : { ...target, at: declaredAt })
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
