import { errorCodes, fastify5ErrorCodes, toClasses, createOnAccess } from './index.ts'
import type { ErrorCode, ErrorCodes, Fastify5ErrorCode } from './index.ts'

/** Definitions that Fastify 5.12 adds to the catalogue of 4.21, or words differently. */
const catalogue = () =>
  ({
    FST_ERR_ERROR_HANDLER_ALREADY_SET: [
      "Error Handler already set in this scope. Set 'allowErrorHandlerOverride: true' to allow overriding.",
      'TypeError',
    ],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: ['Unsupported Media Type', 415],
    FST_ERR_CTP_INVALID_JSON_BODY: [
      "Body is not valid JSON but content-type is set to 'application/json'",
      400,
    ],
    FST_ERR_DEC_REFERENCE_TYPE: [
      "The decorator '%s' of type '%s' is a reference type. Use the { getter, setter } interface instead.",
    ],
    FST_ERR_MISSING_MIDDLEWARE: [
      'You must register a plugin for handling middlewares, visit fastify.dev/docs/latest/Reference/Middleware/ for more info.',
    ],
    FST_ERR_HOOK_TIMEOUT: [
      "A callback for '%s' hook%s timed out. You may have forgotten to call 'done' function or to resolve a Promise",
    ],
    FST_ERR_LOG_INVALID_LOGGER_CONFIG: [
      'logger options only accepts a configuration object.',
      'TypeError',
    ],
    FST_ERR_LOG_INVALID_LOG_CONTROLLER: [
      "logController option must be an instance of LogController, got '%s'.",
      'TypeError',
    ],
    FST_ERR_MAX_PARAM_LENGTH: ["'%s' is exceeding the max param length", 414, 'URIError'],
    FST_ERR_HANDLER_TIMEOUT: ["Request timed out after %s ms on route '%s'", 503],
    FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT: [
      "'handlerTimeout' option must be an integer > 0. Got '%s'",
      'TypeError',
    ],
    FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ["Method '%s' must provide a 'Content-Type' header.", 400],
    FST_ERR_ROUTE_MISSING_CONTENT: ["Method '%s' must provide a request body.", 400],
    FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER: [
      'The %s plugin being registered mixes async and callback styles. Async plugin should not mix async and callback style.',
      'TypeError',
    ],
    FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED: [
      "The dependency '%s' of plugin '%s' is not registered",
    ],
  }) as const

type OwnCode = keyof ReturnType<typeof catalogue>

/** Codes of 4.21 that Fastify 5 has removed. */
const removed = [
  'FST_ERR_VERSION_CONSTRAINT_NOT_STR',
  'FST_ERR_HTTP2_INVALID_VERSION',
  'FST_ERR_DEFAULT_ROUTE_INVALID_TYPE',
] as const

export type Fastify5OnlyCode = Exclude<OwnCode | Fastify5ErrorCode, ErrorCode>

type Codes = ErrorCode | Fastify5ErrorCode | OwnCode

/** Fastify 5.12's catalogue. Classes that both lines define alike are the same. */
export const errors: ErrorCodes<Codes> = createOnAccess(() => {
  const all = { ...errorCodes, ...fastify5ErrorCodes, ...toClasses(catalogue()) }
  for (const code of removed) Reflect.deleteProperty(all, code)
  return all
})
