import type { Digest, HttpPart } from '../artifact/index.ts'
import { hasRequestParts } from '../artifact/route-digest.ts'
import { normalizeSchema, serializerParts, validatorParts } from '../artifact/normalize.ts'
import type { Fail, RouteSchema } from '../artifact/normalize.ts'
import { errorCodes } from '../errors/index.ts'
import type {
  Compiler,
  SerializerCompiler,
  SerializerTarget,
  ValidatorCompiler,
  ValidatorTarget,
} from '../serve/model.ts'
import type { DeclaredRoute } from './declared.ts'
import type { ContentSerializers } from '../serve/serialization.ts'
import { kContext } from '../serve/symbols.ts'
import { addValidator } from '../serve/validation.ts'
import { emitWarning } from '../errors/warnings.ts'

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
export function prepareRoute(route: DeclaredRoute): boolean {
  const { instance, options, schema } = route
  if (!options.schema || !schema) return false
  const { schemas, app } = instance[kContext]
  normalizeSchema(schema, instance.initialConfig, fail)

  const hasParts = hasRequestParts(schema)
  if (hasParts && !options.validatorCompiler) schemas.setupValidator(app.options.ajv)
  const validator = options.validatorCompiler || schemas.validatorCompiler
  if (hasParts && validator?.check === undefined) {
    orBuildError(VALIDATION, compileValidators, route, validator)
  }
  warnOfMissingParts(route)

  if (schema.response && !options.serializerCompiler) {
    schemas.setupSerializer(app.options.serializerOpts)
  }
  const serializer = options.serializerCompiler || schemas.serializerCompiler
  if (schema.response && serializer?.check === undefined) {
    orBuildError(SERIALIZATION, compileSerializers, route, serializer)
  }
  const isValidatorKnown = hasParts && validator?.check !== undefined
  const isSerializerKnown = !!schema.response && serializer?.check !== undefined
  if (
    (isValidatorKnown && validator.checksEarly) ||
    (isSerializerKnown && serializer.checksEarly)
  ) {
    checkEarly(
      route,
      isValidatorKnown ? validator : undefined,
      isSerializerKnown ? serializer : undefined,
    )
  }
  return isValidatorKnown || isSerializerKnown
}

/** Looks for the functions of a route, without loading them: now, or when `compilers.settle` is called. */
function checkEarly(
  route: DeclaredRoute,
  validator: ValidatorCompiler | undefined,
  serializer: SerializerCompiler | undefined,
): void {
  const { compilers } = route.instance[kContext].app
  const schema = route.schema as RouteSchema
  compilers.checkRoute(schema, validator, serializer, isCustom(route), () => {
    if (validator?.checksEarly) orBuildError(VALIDATION, checkValidators, route, validator)
    if (serializer?.checksEarly) orBuildError(SERIALIZATION, checkSerializers, route, serializer)
  })
}

function checkValidators(route: DeclaredRoute, validator: ValidatorCompiler): void {
  for (const target of validatorTargets(route)) validator.check?.(target, route.declaredAt)
}

function checkSerializers(route: DeclaredRoute, serializer: SerializerCompiler): void {
  for (const target of serializerTargets(route)) serializer.check?.(target, route.declaredAt)
}
/**
 * Loads the functions of a route that are looked up. All of them: what is missing or damaged fails before a hook
 * or a handler runs.
 *
 * @throws FST_ERR_AOT_*
 */
export function loadRoute(route: DeclaredRoute): void {
  const { instance, options } = route
  const { schemas, app } = instance[kContext]
  const schema = route.schema as RouteSchema
  const context = route.open()
  const validator = options.validatorCompiler || schemas.validatorCompiler
  const serializer = options.serializerCompiler || schemas.serializerCompiler
  const isValidatorKnown = hasRequestParts(schema) && validator?.check !== undefined
  const isSerializerKnown = !!schema.response && serializer?.check !== undefined
  const digests = app.compilers.digestsOf(
    schema,
    isValidatorKnown ? validator : undefined,
    isSerializerKnown ? serializer : undefined,
    isCustom(route),
  )
  let used = 0
  if (isValidatorKnown) {
    // Not empty when an earlier request failed half way.
    context.validators = null
    used = compileValidators(route, validator, digests)
  }
  if (isSerializerKnown) {
    context.serializers = null
    compileSerializers(route, serializer, digests?.slice(used))
  }
}

/** Whether header schemas go to the compiler as they are. */
function isCustom({ instance, options }: DeclaredRoute): boolean {
  if (typeof options.validatorCompiler === 'function') return true
  return instance[kContext].schemas.isCustomValidator
}

function validatorTargets(route: DeclaredRoute): ValidatorTarget[] {
  const { url, method } = route
  const parts = validatorParts(route.schema as RouteSchema, isCustom(route))
  return parts.map(({ schema, httpPart }) => ({ schema, method, url, httpPart }))
}

function serializerTargets(route: DeclaredRoute): SerializerTarget[] {
  const { url, method } = route
  const parts = serializerParts(route.schema as RouteSchema, fail)
  return parts.map(({ schema, httpStatus, contentType }) => {
    const target: SerializerTarget = { schema, url, method, httpStatus }
    if (contentType !== undefined) target.contentType = contentType
    return target
  })
}

/**
 * @param digests of the functions, when they are known; only for a compiler of ours
 * @returns how many functions there are
 */
function compileValidators(
  route: DeclaredRoute,
  compile: ValidatorCompiler | undefined,
  digests?: readonly Digest[],
): number {
  const context = route.open()
  const targets = validatorTargets(route)
  targets.forEach((target, i) => {
    const validator = callCompiler(compile as ValidatorCompiler, target, digests?.[i])
    // A compiler of the application's may leave a part unchecked.
    if (validator) addValidator(context, target.httpPart as HttpPart, validator)
  })
  return targets.length
}

/** A compiler of the application's is called with the target alone. */
function callCompiler<Target, Compiled>(
  compile: Compiler<Target, Compiled>,
  target: Target,
  digest: Digest | undefined,
): Compiled {
  return digest === undefined ? compile(target) : compile(target, digest)
}

/** @param digests as for `compileValidators` */
function compileSerializers(
  route: DeclaredRoute,
  compile: SerializerCompiler | undefined,
  digests?: readonly Digest[],
): void {
  const context = route.open()
  for (const [i, target] of serializerTargets(route).entries()) {
    const serializer = callCompiler(compile as SerializerCompiler, target, digests?.[i])
    const httpStatus = target.httpStatus as string
    const serializers = (context.serializers ??= {})
    if (target.contentType === undefined) {
      serializers[httpStatus] = serializer
    } else {
      const content = (serializers[httpStatus] ??= {}) as ContentSerializers
      content[target.contentType as string] = serializer
    }
  }
}

/** A part that is there but undefined is likely a mistake. */
function warnOfMissingParts(route: DeclaredRoute): void {
  const schema = route.schema as RouteSchema
  if (!schema.headers && 'headers' in schema) warnOfMissing('headers', route)
  if (!schema.body && 'body' in schema) warnOfMissing('body', route)
  if (!schema.querystring && 'querystring' in schema) warnOfMissing('querystring', route)
  if (!schema.params && 'params' in schema) warnOfMissing('params', route)
}

function warnOfMissing(part: string, { method, url }: DeclaredRoute): void {
  emitWarning('FSTWRN001', part, method, url)
}

const VALIDATION = 'FST_ERR_SCH_VALIDATION_BUILD'
const SERIALIZATION = 'FST_ERR_SCH_SERIALIZATION_BUILD'

/** What a compiler throws is named with its route; what the artifact lacks says so itself. */
function orBuildError<C>(
  code: typeof VALIDATION | typeof SERIALIZATION,
  compile: (route: DeclaredRoute, compiler: C) => unknown,
  route: DeclaredRoute,
  compiler: C,
): void {
  try {
    compile(route, compiler)
  } catch (error) {
    const { method, url } = route
    const own = (error as { code?: unknown }).code
    if (typeof own === 'string' && own.startsWith('FST_ERR_AOT_')) throw error
    throw new errorCodes[code](method, url, (error as Error).message)
  }
}
