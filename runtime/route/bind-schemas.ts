/** Normalizes the schema of a route, and compiles its functions or finds them in the artifact. */
import type { HttpPart } from '../artifact/index.ts'
import { explained } from '../artifact/registry.ts'
import { isPlainObject } from '../artifact/json.ts'
import { untouchedRoute } from '../artifact/lazy-schemas/index.ts'
import { hasUnread } from '../artifact/lazy-schemas/types-on-read.ts'
import type { RouteTarget } from '../artifact/index.ts'
import type { BoundFunction, FoundFunction, LoadFunctions } from '../compiled/model.ts'
import { hasRequestParts } from '../artifact/reading/index.ts'
import type { Fail, RouteSchema } from '../artifact/normalize.ts'
import { errorCodes } from '../errors/index.ts'
import type {
  Compiler,
  SerializerCompiler,
  SerializerFunction,
  SerializerTarget,
  ValidatorCompiler,
  ValidatorFunction,
  ValidatorTarget,
} from '../serve/model.ts'
import type { DeclaredRoute } from './declared-route.ts'
import { addSerializer } from '../serve/serialization.ts'
import { addValidator } from '../serve/validation.ts'
import { emitWarning } from '../errors/warnings.ts'

const fail: Fail = (rule, ...args) => {
  throw new errorCodes[rule](...args)
}

/**
 * Normalizes the schema of a route. Calls the compilers of the application, and finds the functions of the artifact.
 *
 * @returns the function that `loadRoute` calls for the first request, or `null` if the artifact isn't used
 * @throws FST_ERR_SCH_* and FST_ERR_AOT_*
 */
export function prepareRoute(route: DeclaredRoute): LoadFunctions | null {
  const { instance, scope, options, schema, declaredAt } = route
  if (!options.schema || !schema) return null
  try {
    scope.app.line.schemas.normalize(schema, instance.initialConfig, fail)
  } catch (error) {
    throw explained(error as Error, declaredAt)
  }

  return isCompiledOnRequest(route, schema)
    ? () => bindParts(route, schema)?.() ?? []
    : bindParts(route, schema)
}

/** Returns whether the application's compilers are called for the first request, because a type is created when it's read. */
function isCompiledOnRequest({ scope, options }: DeclaredRoute, schema: RouteSchema): boolean {
  // Reading the member would load a lazy schema.
  const response = Object.getOwnPropertyDescriptor(schema, 'response')?.value as object | undefined
  if (!hasUnread(schema) && !(response && hasUnread(response))) return false
  const { validator, serializer } = scope.schemas
  const [validate, serialize] = [
    options.validatorCompiler || validator.current,
    options.serializerCompiler || serializer.current,
  ]
  const isOwn = (one: typeof validate | typeof serialize): boolean => !!one && !one.find
  return isOwn(validate) && (!response || isOwn(serialize))
}

function bindParts(route: DeclaredRoute, schema: RouteSchema): LoadFunctions | null {
  const { scope, options } = route
  const { schemas, app } = scope
  // Reading the members of a lazy schema would load it. `finish` is set if `normalize` has put off its work until then.
  const lazySchema = untouchedRoute(schema)
  const shape = lazySchema?.finish && lazySchema.shape
  const hasParts = shape?.hasRequestParts ?? hasRequestParts(schema, app.line.schemas)
  const hasResponses = shape?.hasResponses ?? !!schema.response
  if (hasParts && !options.validatorCompiler) schemas.validator.setup(app.options.ajv)
  const validator = options.validatorCompiler || schemas.validator.current
  if (hasParts && validator?.find === undefined) {
    orBuildError(VALIDATION, route, () => compileValidators(route, validator))
  }
  if (shape === undefined) warnOfParts(route)

  if (hasResponses && !options.serializerCompiler) {
    schemas.serializer.setup(app.options.serializerOpts)
  }
  const serializer = options.serializerCompiler || schemas.serializer.current
  if (hasResponses && serializer?.find === undefined) {
    orBuildError(SERIALIZATION, route, () => compileSerializers(route, serializer))
  }
  const validatorFinder = hasParts && validator?.find ? validator : undefined
  const serializerFinder = hasResponses && serializer?.find ? serializer : undefined
  if (validatorFinder === undefined && serializerFinder === undefined) return null
  return app.compilers.bind(schema, validatorFinder, serializerFinder, isCustom(route), () =>
    findEach(route, validatorFinder, serializerFinder),
  )
}

/** Finds the functions of a route one by one, without loading them. @throws FST_ERR_SCH_* and FST_ERR_AOT_* */
function findEach(
  route: DeclaredRoute,
  validator: ValidatorCompiler | undefined,
  serializer: SerializerCompiler | undefined,
): readonly BoundFunction[] {
  return [
    ...findAll(VALIDATION, route, validator, validatorTargets),
    ...findAll(SERIALIZATION, route, serializer, serializerTargets),
  ]
}

function findAll<Target>(
  code: BuildError,
  route: DeclaredRoute,
  compiler: Compiler<Target, unknown> | undefined,
  targetsOf: (route: DeclaredRoute) => readonly Target[],
): readonly BoundFunction[] {
  if (compiler === undefined) return []
  return orBuildError(code, route, () =>
    targetsOf(route).map((target) => {
      const found = compiler.find?.(target, route.declaredAt) as FoundFunction
      return { ...found, target: target as RouteTarget }
    }),
  )
}

/**
 * Loads all functions of a route from the artifact, so that a missing or damaged one fails before hooks and handler run.
 *
 * @throws FST_ERR_AOT_*
 */
export function loadRoute(route: DeclaredRoute, load: LoadFunctions): void {
  const functions = load()
  const context = route.getContext()
  for (const { target, compiled } of functions) {
    const { httpPart } = target
    if (httpPart === undefined) addSerializer(context, target, compiled as SerializerFunction)
    else addValidator(context, httpPart, compiled as ValidatorFunction, true, target.contentType)
  }
}

/** Returns whether the validator compiler gets header schemas unchanged. */
function isCustom({ scope, options }: DeclaredRoute): boolean {
  if (typeof options.validatorCompiler === 'function') return true
  return scope.schemas.isCustomValidator
}

function validatorTargets(route: DeclaredRoute): ValidatorTarget[] {
  const { url, method } = route
  const { schemas } = route.scope.app.line
  const parts = schemas.validators(route.schema as RouteSchema, isCustom(route))
  return parts.map(({ schema, httpPart, contentType }) => {
    const target: ValidatorTarget = { schema, method, url, httpPart }
    if (contentType !== undefined) target.contentType = contentType
    return target
  })
}

function serializerTargets(route: DeclaredRoute): SerializerTarget[] {
  const { url, method } = route
  const parts = route.scope.app.line.schemas.serializers(route.schema as RouteSchema, fail)
  return parts.map(({ schema, httpStatus, contentType }) => {
    const target: SerializerTarget = { schema, url, method, httpStatus }
    if (contentType !== undefined) target.contentType = contentType
    return target
  })
}

function compileValidators(route: DeclaredRoute, compile: ValidatorCompiler | undefined): void {
  const context = route.getContext()
  for (const target of validatorTargets(route)) {
    route.scope.app.compilers.attachParser(target.schema)
    const validator = (compile as ValidatorCompiler)(target)
    const isOfPackage = compile?.units !== undefined
    // A compiler of the application may return nothing for a part.
    const { httpPart, contentType } = target
    if (validator) addValidator(context, httpPart as HttpPart, validator, isOfPackage, contentType)
  }
}

function compileSerializers(route: DeclaredRoute, compile: SerializerCompiler | undefined): void {
  const context = route.getContext()
  for (const target of serializerTargets(route)) {
    route.scope.app.compilers.attachParser(target.schema)
    addSerializer(context, target as RouteTarget, (compile as SerializerCompiler)(target))
  }
}

/** Warns of parts without a schema, such as `body: undefined`, which is probably a mistake, and of headers as the line does. */
function warnOfParts(route: DeclaredRoute): void {
  const schema = route.schema as RouteSchema
  const { line } = route.scope.app
  const { isPart } = line.schemas
  const { headers } = schema
  if (isPlainObject(headers) && !isCustom(route)) {
    line.warnOfHeaders(headers, route.method, route.url)
  }
  for (const part of ['headers', 'body', 'querystring', 'params']) {
    if (part in schema && !isPart(schema[part])) {
      emitWarning('FSTWRN001', part, route.method, route.url)
    }
  }
}

const VALIDATION = 'FST_ERR_SCH_VALIDATION_BUILD'
const SERIALIZATION = 'FST_ERR_SCH_SERIALIZATION_BUILD'

type BuildError = typeof VALIDATION | typeof SERIALIZATION

/** Adds the route to the errors of compilers. Errors of the artifact have it already. */
function orBuildError<T>(code: BuildError, route: DeclaredRoute, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    const { method, url, declaredAt } = route
    const own = (error as { code?: unknown }).code
    if (typeof own === 'string' && own.startsWith('FST_ERR_AOT_')) throw error
    throw explained(new errorCodes[code](method, url, (error as Error).message), declaredAt)
  }
}
