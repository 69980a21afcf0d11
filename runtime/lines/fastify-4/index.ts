/** The row of Fastify 4.21. */
import { fastify4Reading } from '../../artifact/reading/index.ts'
import { FASTIFY_VERSION } from '../../boot/fastify-version.ts'
import { toFastify4Options, warnOfNoEffect } from '../../context/fastify-5-options.ts'
import type { ApplicationLine } from '../../context/line.ts'
import type { FactoryOptions, GivenOptions } from '../../context/options.ts'
import { errorCodes, fastify5ErrorCodes } from '../../errors/index.ts'
import { emitWarning } from '../../errors/warnings.ts'
import { fastify5Instance } from '../../instance/fastify-5.ts'
import { createAssertionError } from '../../platform/index.ts'
import type { GivenRouteOptions } from '../../route/index.ts'
import type { ConstraintStrategy } from '../../router/index.ts'
import { createJsonParser } from '../../serve/content-type-parsers.ts'
import { createAddedMembers } from '../../serve/fastify-5/added-members.ts'
import { anyBody } from '../../serve/line/content-type-of-body.ts'
import type { Hook, RawRequest } from '../../serve/model.ts'
import { config } from './config.ts'
import { toJsonFailure, toJsonType, typeRules } from './content-types.ts'
import { Fastify4Logging } from './logging.ts'
import { methods, supportedMethods } from './methods.ts'
import { Reply } from './reply.ts'
import { Request } from './request.ts'

const NONE: ReadonlySet<PropertyKey> = new Set()
const added = createAddedMembers(fastify5Instance)

export const fastify4: ApplicationLine = {
  name: 'framework',
  version: FASTIFY_VERSION,
  errors: errorCodes,
  schemas: fastify4Reading,

  Request,
  Reply,
  fields: { request: NONE, reply: NONE },
  injectPackage: 'light-my-request',
  createRoot: () => Object.create(added) as object,
  forwardedHost: 'hostname',
  createLogging: (options) => new Fastify4Logging(options as never),

  methods,
  methodsOfAll: supportedMethods,
  checksHttpVersion: true,
  passesEmptyLogLevel: true,
  listensForTimeoutFirst: false,

  typeRules,
  createJsonParser: (protoAction, constructorAction) =>
    createJsonParser(protoAction, constructorAction, toJsonFailure),
  createMediaTypeError: (contentType) =>
    new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(contentType || undefined),
  takesAnyBodyError: false,
  sendsThrown: false,
  toErrorText: (value) => value,
  countsReceivedBytes: false,

  catchesValidators: false,
  ignoresAsyncResults: false,

  isType: (header): header is string => header !== undefined,
  toJsonType,
  toMediaType: (contentType) => contentType.split(';')[0]?.trim().toLowerCase(),
  destroysStarted: false,
  finishesCutOff: true,
  keepsErrorType: false,
  isErrorStatus: (statusCode) => !(statusCode < 400),
  rawStatusOf({ status, statusCode }) {
    if ((status as number) >= 400) return status
    return (statusCode as number) >= 400 ? statusCode : undefined
  },
  statusOf(error) {
    const statusCode = error.statusCode || error.status
    return statusCode !== undefined && statusCode >= 400 ? statusCode : 500
  },
  takesReturnedTrailers: true,

  config,
  readOptions: toFastify4Options,
  toRequestIdHeader: (given) =>
    given === false
      ? false
      : ((given as string) || (config.defaults['requestIdHeader'] as string)).toLowerCase(),
  readConstraints,
  routerOptions: () => ({}),
  addMethod(methods, method, hasBody) {
    if (!supportedMethods.includes(method)) methods.set(method, hasBody ? anyBody : null)
  },
  createMembers: ({ router }) => ({
    hasRoute: ({ method, url, constraints }: GivenRouteOptions): boolean =>
      typeof method === 'string' && router.hasRoute(method.toUpperCase(), url || '', constraints),

    /** @deprecated */
    getDefaultRoute() {
      emitWarning('FSTDEP014')
      return router.defaultRoute
    },

    /** @deprecated @throws FST_ERR_DEFAULT_ROUTE_INVALID_TYPE */
    setDefaultRoute(route: typeof router.defaultRoute): void {
      emitWarning('FSTDEP014')
      if (typeof route !== 'function') throw new errorCodes.FST_ERR_DEFAULT_ROUTE_INVALID_TYPE()
      router.defaultRoute = route
    },
  }),
  keepsCompilers: false,
  plugins: {
    endsShortPlugins: false,
    endsInNextTick: false,
    timeoutCode: 'AVV_ERR_READY_TIMEOUT',
    assertFunction: () => undefined,
    createDependencyError: (dependency, name) =>
      createAssertionError(`The dependency '${dependency}' of plugin '${name}' is not registered`),
    candidate: /-(?=rc)/,
  },

  readHook: (_name, hook) => hook as Hook,
  immediateHooks: new Set(['onReady', 'onListen', 'onRoute']),
  checksRouteHooks: false,
  createHookTimeout: (name) => new errorCodes.FST_ERR_HOOK_TIMEOUT(name),
  sharesReady: false,
  assertErrorHandler(handler) {
    if (typeof handler !== 'function') throw new fastify5ErrorCodes.FST_ERR_ERROR_HANDLER_NOT_FN()
  },
  onSharedObject: (name) => emitWarning('FSTDEP006', name),
  listensBySettings: false,
  addressesOf: (address) => [address],

  assertHandlerTimeout: () => warnOfNoEffect('handlerTimeout'),
  checksMethodFirst: true,
  readRouteConstraints(options) {
    if (!options.version) return options.constraints
    emitWarning('FSTDEP008')
    const constraints = options.constraints ?? {}
    constraints.version = options.version
    return constraints
  },
  // A method in lower case gets no HEAD route.
  wantsHeadRoute: (given) => given === 'GET',
  warnOfHeaders() {},
  warnsOfHeadRoutes: true,
  showsPrefix: false,
}

/** @deprecated The option `versioning` is a strategy for the constraint `version`. */
function readConstraints({ constraints, versioning }: GivenOptions): FactoryOptions['constraints'] {
  if (!versioning) return constraints
  emitWarning('FSTDEP009')
  const version = {
    name: 'version',
    mustMatchWhenDerived: true,
    storage: versioning.storage,
    deriveConstraint: versioning.deriveVersion,
    validate(value: unknown) {
      if (typeof value !== 'string') throw new errorCodes.FST_ERR_VERSION_CONSTRAINT_NOT_STR()
    },
  } as ConstraintStrategy<RawRequest>
  return { ...constraints, version }
}
