/** The row of Fastify 5.12. */
import { fastify5Reading } from '../../artifact/reading/fastify-5.ts'
import type { Application } from '../../context/application.ts'
import type { ApplicationLine } from '../../context/line.ts'
import type { FactoryOptions } from '../../context/options.ts'
import { errors } from '../../errors/fastify-5.ts'
import { emitWarning } from '../../errors/warnings.ts'
import { createJsonParser } from '../../serve/content-type-parsers.ts'
import { nodeModule } from '../../platform/index.ts'
import { refuse } from '../../serve/dispatch.ts'
import type { Hook, Instance, RawReply, RawRequest } from '../../serve/model.ts'
import {
  config,
  createLogging,
  readOptions,
  routerOptionsOf,
  toRequestIdHeader,
} from './options.ts'
import { parseContentType, toJsonType, typeRules } from './content-types.ts'
import { warnOfHeaderReferences } from './header-references.ts'
import { createMembers } from './members.ts'
import { methods, readerOf } from './methods.ts'
import { Reply } from './reply.ts'
import { Request } from './request.ts'
import { limitTime } from './time-limit.ts'
import { isErrorStatus, statusIn, statusOf, toErrorText } from './statuses.ts'
import { tracing } from './tracing.ts'
import { FASTIFY_5_VERSION } from './values.ts'

export const fastify5: ApplicationLine = {
  name: 'fastify@5',
  version: FASTIFY_5_VERSION,
  errors,
  schemas: fastify5Reading,

  Request,
  Reply,
  fields: {
    request: new Set(['id', 'params', 'raw', 'query', 'log', 'body']),
    reply: new Set(['raw', 'request', 'log']),
  },
  injectPackage: 'light-my-request-6',
  createRoot: () => ({}),
  forwardedHost: 'host',
  createLogging,

  methods,
  methodsOfAll: undefined,
  checksHttpVersion: false,
  passesEmptyLogLevel: false,
  listensForTimeoutFirst: true,

  typeRules,
  createJsonParser: (protoAction, constructorAction) =>
    createJsonParser(
      protoAction,
      constructorAction,
      () => new errors.FST_ERR_CTP_INVALID_JSON_BODY(),
    ),
  createMediaTypeError: () => new errors.FST_ERR_CTP_INVALID_MEDIA_TYPE(),
  takesAnyBodyError: true,
  sendsThrown: true,
  toErrorText,
  countsReceivedBytes: true,

  catchesValidators: true,
  ignoresAsyncResults: true,

  isType: (header): header is string => parseContentType(header) !== null,
  toJsonType,
  toMediaType: (contentType) => parseContentType(contentType)?.mediaType,
  destroysStarted: true,
  finishesCutOff: false,
  keepsErrorType: true,
  isErrorStatus,
  rawStatusOf: statusIn,
  statusOf,
  takesReturnedTrailers: false,

  limitTime,
  tracing,

  config,
  readOptions,
  toRequestIdHeader,
  readConstraints: (options) =>
    routerOptionsOf(options)['constraints'] as FactoryOptions['constraints'],
  routerOptions,
  addMethod(methods, method, hasBody, overrides) {
    const existing = methods.get(method)
    if (existing !== undefined && !overrides) emitWarning('FSTDEP025', method)
    // A method of the other kind becomes the last one of its new kind.
    if (hasBody !== Boolean(existing)) methods.delete(method)
    methods.set(method, hasBody ? readerOf(method) : null)
  },
  createMembers,
  keepsCompilers: true,
  plugins: {
    endsShortPlugins: true,
    endsInNextTick: true,
    timeoutCode: 'AVV_ERR_PLUGIN_EXEC_TIMEOUT',
    assertFunction(plugin, name) {
      if (plugin.constructor.name !== 'AsyncFunction' || (plugin as Function).length !== 3) return
      throw new errors.FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER(name)
    },
    createDependencyError: (dependency, name) =>
      new errors.FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED(dependency, name),
    candidate: /-(?=(?:rc|pre|alpha).)/,
  },

  readHook,
  immediateHooks: new Set(['onReady', 'onListen', 'onRoute', 'preClose']),
  checksRouteHooks: true,
  createHookTimeout: (name, hook) =>
    new errors.FST_ERR_HOOK_TIMEOUT(name, hook?.name ? ` "${hook.name}"` : ''),
  sharesReady: true,
  assertErrorHandler,
  onSharedObject(name, value) {
    throw new errors.FST_ERR_DEC_REFERENCE_TYPE(name, typeof value)
  },
  listensBySettings: true,
  addressesOf,

  assertHandlerTimeout(timeout) {
    if (Number.isInteger(timeout) && (timeout as number) > 0) return
    throw new errors.FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT(timeout)
  },
  checksMethodFirst: false,
  readRouteConstraints: ({ constraints }) => constraints,
  wantsHeadRoute: (_given, method) =>
    Array.isArray(method) ? method.includes('GET') && !method.includes('HEAD') : method === 'GET',
  warnOfHeaders: warnOfHeaderReferences,
  warnsOfHeadRoutes: false,
  showsPrefix: true,
}

function routerOptions(
  options: FactoryOptions,
  getApp: () => Application,
): ReturnType<ApplicationLine['routerOptions']> {
  const { useSemicolonDelimiter, ...others } = routerOptionsOf(options)
  return {
    isVersion9: true,
    isSemicolonInPath: useSemicolonDelimiter !== true,
    onMaxParamLength: answerTooLong,
    ...others,
  }

  function answerTooLong(path: string, raw: RawRequest, response: RawReply): void {
    const code = 'FST_ERR_MAX_PARAM_LENGTH'
    const message = `'${path}' is exceeding the max param length`
    const payload = { error: 'Bad Request', code, message, statusCode: 414 }
    refuse(getApp(), () => new errors[code](path), raw, response, payload)
  }
}

/** Returns the hook as a function. For `onClose` it may be a disposable object. */
function readHook(name: string, given: unknown, instance: Instance): Hook {
  if (name !== 'onClose') return given as Hook
  if (typeof given === 'function') return given.bind(instance)
  const { asyncDispose, dispose } = Symbol as { asyncDispose?: symbol; dispose?: symbol }
  const disposable = given as Record<symbol, (() => unknown) | undefined>
  for (const key of [asyncDispose, dispose]) {
    if (key === undefined || typeof disposable[key] !== 'function') continue
    return async () => void (await disposable[key]?.())
  }
  throw new errors.FST_ERR_HOOK_INVALID_HANDLER(name, Object.prototype.toString.call(given))
}

function assertErrorHandler(handler: unknown, app: Application, isSecond: boolean): void {
  if (typeof handler !== 'function') throw new errors.FST_ERR_ERROR_HANDLER_NOT_FN()
  if (!isSecond) return
  if (!(app.options['allowErrorHandlerOverride'] ?? true)) {
    throw new errors.FST_ERR_ERROR_HANDLER_ALREADY_SET()
  }
  emitWarning('FSTWRN004')
}

/** Replaces `0.0.0.0` by the IPv4 addresses of this machine, loopback addresses first. */
function addressesOf(address: string): string[] {
  if (address !== '0.0.0.0') return [address]
  const all = Object.values(nodeModule('node:os').networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
  return [
    ...all.filter(({ internal }) => internal),
    ...all.filter(({ internal }) => !internal),
  ].map(({ address }) => address)
}
