import { createError, type BaseName, type FastifyErrorConstructor } from './create-error.ts'

export type { FastifyError, FastifyErrorConstructor } from './create-error.ts'

/** The message with a `%s` per argument, the status (default 500), and the base class (default `Error`). */
export type Definition =
  | readonly [message: string, statusCode?: number, base?: BaseName]
  | readonly [message: string, base: BaseName]

const catalogue = () =>
  ({
    // Factory and general
    FST_ERR_NOT_FOUND: ['Not Found', 404],
    FST_ERR_OPTIONS_NOT_OBJ: ['Options must be an object', 'TypeError'],
    FST_ERR_QSP_NOT_FN: [
      "querystringParser option should be a function, instead got '%s'",
      'TypeError',
    ],
    FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN: [
      "schemaController.bucket option should be a function, instead got '%s'",
      'TypeError',
    ],
    FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN: [
      "schemaErrorFormatter option should be a non async function. Instead got '%s'.",
      'TypeError',
    ],
    FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ: [
      "ajv.customOptions option should be an object, instead got '%s'",
      'TypeError',
    ],
    FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR: [
      "ajv.plugins option should be an array, instead got '%s'",
      'TypeError',
    ],
    FST_ERR_VERSION_CONSTRAINT_NOT_STR: ['Version constraint should be a string.', 'TypeError'],
    FST_ERR_VALIDATION: ['%s', 400],
    FST_ERR_LISTEN_OPTIONS_INVALID: ["Invalid listen options: '%s'", 'TypeError'],

    // Content type parsers
    FST_ERR_CTP_ALREADY_PRESENT: ["Content type parser '%s' already present."],
    FST_ERR_CTP_INVALID_TYPE: ['The content type should be a string or a RegExp', 'TypeError'],
    FST_ERR_CTP_EMPTY_TYPE: ['The content type cannot be an empty string', 'TypeError'],
    FST_ERR_CTP_INVALID_HANDLER: ['The content type handler should be a function', 'TypeError'],
    FST_ERR_CTP_INVALID_PARSE_TYPE: [
      "The body parser can only parse your data as 'string' or 'buffer', you asked '%s' which is not supported.",
      'TypeError',
    ],
    FST_ERR_CTP_BODY_TOO_LARGE: ['Request body is too large', 413, 'RangeError'],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: ['Unsupported Media Type: %s', 415],
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
      'Request body size did not match Content-Length',
      400,
      'RangeError',
    ],
    FST_ERR_CTP_EMPTY_JSON_BODY: [
      "Body cannot be empty when content-type is set to 'application/json'",
      400,
    ],
    FST_ERR_CTP_INSTANCE_ALREADY_STARTED: [
      'Cannot call "%s" when fastify instance is already started!',
      400,
    ],

    // Decorators
    FST_ERR_DEC_ALREADY_PRESENT: ["The decorator '%s' has already been added!"],
    FST_ERR_DEC_DEPENDENCY_INVALID_TYPE: [
      "The dependencies of decorator '%s' must be of type Array.",
      'TypeError',
    ],
    FST_ERR_DEC_MISSING_DEPENDENCY: ["The decorator is missing dependency '%s'."],
    FST_ERR_DEC_AFTER_START: ["The decorator '%s' has been added after start!"],

    // Hooks and middleware
    FST_ERR_HOOK_INVALID_TYPE: ['The hook name must be a string', 'TypeError'],
    FST_ERR_HOOK_INVALID_HANDLER: ['%s hook should be a function, instead got %s', 'TypeError'],
    FST_ERR_HOOK_INVALID_ASYNC_HANDLER: [
      "Async function has too many arguments. Async hooks should not use the 'done' argument.",
      'TypeError',
    ],
    FST_ERR_HOOK_NOT_SUPPORTED: ['%s hook not supported!', 'TypeError'],
    FST_ERR_MISSING_MIDDLEWARE: [
      'You must register a plugin for handling middlewares, visit fastify.io/docs/latest/Reference/Middleware/ for more info.',
    ],
    FST_ERR_HOOK_TIMEOUT: [
      "A callback for '%s' hook timed out. You may have forgotten to call 'done' function or to resolve a Promise",
    ],

    // Logger
    FST_ERR_LOG_INVALID_DESTINATION: ['Cannot specify both logger.stream and logger.file options'],
    FST_ERR_LOG_INVALID_LOGGER: [
      "Invalid logger object provided. The logger instance should have these functions(s): '%s'.",
      'TypeError',
    ],

    // Reply and request
    FST_ERR_REP_INVALID_PAYLOAD_TYPE: [
      "Attempted to send payload of invalid type '%s'. Expected a string or Buffer.",
      'TypeError',
    ],
    FST_ERR_REP_ALREADY_SENT: [
      'Reply was already sent, did you forget to "return reply" in "%s" (%s)?',
    ],
    FST_ERR_REP_SENT_VALUE: ['The only possible value for reply.sent is true.', 'TypeError'],
    FST_ERR_SEND_INSIDE_ONERR: ['You cannot use `send` inside the `onError` hook'],
    FST_ERR_SEND_UNDEFINED_ERR: ['Undefined error has occurred'],
    FST_ERR_BAD_STATUS_CODE: ['Called reply with an invalid status code: %s'],
    FST_ERR_BAD_TRAILER_NAME: ['Called reply.trailer with an invalid header name: %s'],
    FST_ERR_BAD_TRAILER_VALUE: [
      "Called reply.trailer('%s', fn) with an invalid type: %s. Expected a function.",
    ],
    FST_ERR_FAILED_ERROR_SERIALIZATION: [
      'Failed to serialize an error. Error: %s. Original error: %s',
    ],
    FST_ERR_MISSING_SERIALIZATION_FN: ['Missing serialization function. Key "%s"'],
    FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN: ['Missing serialization function. Key "%s:%s"'],
    FST_ERR_REQ_INVALID_VALIDATION_INVOCATION: [
      'Invalid validation invocation. Missing validation function for HTTP part "%s" nor schema provided.',
    ],

    // Schemas
    FST_ERR_SCH_MISSING_ID: ['Missing schema $id property'],
    FST_ERR_SCH_ALREADY_PRESENT: ["Schema with id '%s' already declared!"],
    FST_ERR_SCH_CONTENT_MISSING_SCHEMA: ["Schema is missing for the content type '%s'"],
    FST_ERR_SCH_DUPLICATE: ["Schema with '%s' already present!"],
    FST_ERR_SCH_VALIDATION_BUILD: [
      'Failed building the validation schema for %s: %s, due to error %s',
    ],
    FST_ERR_SCH_SERIALIZATION_BUILD: [
      'Failed building the serialization schema for %s: %s, due to error %s',
    ],
    FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX: [
      'response schemas should be nested under a valid status code, e.g { 2xx: { type: "object" } }',
    ],

    // Server and its options
    FST_ERR_HTTP2_INVALID_VERSION: ['HTTP2 is available only from node >= 8.8.1'],
    FST_ERR_INIT_OPTS_INVALID: ["Invalid initialization options: '%s'"],
    FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE: [
      "Cannot set forceCloseConnections to 'idle' as your HTTP server does not support closeIdleConnections method",
    ],

    // Router and routes
    FST_ERR_DUPLICATED_ROUTE: ["Method '%s' already declared for route '%s'"],
    FST_ERR_BAD_URL: ["'%s' is not a valid url component", 400, 'URIError'],
    FST_ERR_ASYNC_CONSTRAINT: ['Unexpected error from async constraint'],
    FST_ERR_DEFAULT_ROUTE_INVALID_TYPE: ['The defaultRoute type should be a function', 'TypeError'],
    FST_ERR_INVALID_URL: ["URL must be a string. Received '%s'", 400, 'TypeError'],
    FST_ERR_ROUTE_OPTIONS_NOT_OBJ: ['Options for "%s:%s" route must be an object', 'TypeError'],
    FST_ERR_ROUTE_DUPLICATED_HANDLER: ['Duplicate handler for "%s:%s" route is not allowed!'],
    FST_ERR_ROUTE_HANDLER_NOT_FN: [
      'Error Handler for %s:%s route, if defined, must be a function',
      'TypeError',
    ],
    FST_ERR_ROUTE_MISSING_HANDLER: ['Missing handler function for "%s:%s" route.'],
    FST_ERR_ROUTE_METHOD_INVALID: ['Provided method is invalid!', 'TypeError'],
    FST_ERR_ROUTE_METHOD_NOT_SUPPORTED: ['%s method is not supported.'],
    FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED: [
      'Body validation schema for %s:%s route is not supported!',
    ],
    FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT: [
      "'bodyLimit' option must be an integer > 0. Got '%s'",
      'TypeError',
    ],
    FST_ERR_ROUTE_REWRITE_NOT_STR: [
      'Rewrite url for "%s" needs to be of type "string" but received "%s"',
      'TypeError',
    ],

    // Listening
    FST_ERR_REOPENED_CLOSE_SERVER: ['Fastify has already been closed and cannot be reopened'],
    FST_ERR_REOPENED_SERVER: ['Fastify is already listening'],
    FST_ERR_INSTANCE_ALREADY_LISTENING: ['Fastify instance is already listening. %s'],

    // Plugins
    FST_ERR_PLUGIN_VERSION_MISMATCH: [
      "fastify-plugin: %s - expected '%s' fastify version, '%s' is installed",
    ],
    FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE: ["The decorator '%s'%s is not present in %s"],
    FST_ERR_PLUGIN_CALLBACK_NOT_FN: ['fastify-plugin: %s', 'TypeError'],
    FST_ERR_PLUGIN_NOT_VALID: ['fastify-plugin: %s'],
    FST_ERR_ROOT_PLG_BOOTED: ['fastify-plugin: %s'],
    FST_ERR_PARENT_PLUGIN_BOOTED: ['fastify-plugin: %s'],
    FST_ERR_PLUGIN_TIMEOUT: ['fastify-plugin: %s'],
  }) as const

const bootCatalogue = () =>
  ({
    AVV_ERR_CALLBACK_NOT_FN: ["Callback for '%s' hook is not a function. Received: '%s'"],
    AVV_ERR_PLUGIN_NOT_VALID: ["Plugin must be a function or a promise. Received: '%s'"],
    AVV_ERR_PARENT_PLG_LOADED: [
      "Impossible to load '%s' plugin because the parent '%s' was already loaded",
    ],
    AVV_ERR_ROOT_PLG_BOOTED: ['Root plugin has already booted'],
    AVV_ERR_READY_TIMEOUT: [
      "Plugin did not start in time: '%s'. You may have forgotten to call 'done' function or to resolve a Promise",
    ],
    AVV_ERR_PLUGIN_EXEC_TIMEOUT: [
      "Plugin did not start in time: '%s'. You may have forgotten to call 'done' function or to resolve a Promise",
    ],
  }) as const

/** Errors of Fastify 5 that 4.21 lacks. `fastify-5.ts` has those that only its line needs. */
const fastify5Catalogue = () =>
  ({
    FST_ERR_ERROR_HANDLER_NOT_FN: ['Error Handler must be a function', 'TypeError'],
    FST_ERR_ROUTE_LOG_LEVEL_INVALID: [
      "Log level for '%s:%s' route must be a valid logger level. Received: '%s'",
      'TypeError',
    ],
    FST_ERR_DEC_UNDECLARED: ["No decorator '%s' has been declared on %s."],
    FST_ERR_LOG_INVALID_LOGGER_INSTANCE: [
      'loggerInstance only accepts a logger instance.',
      'TypeError',
    ],
    FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED: [
      'You cannot provide both logger and loggerInstance. Please provide only one.',
      'TypeError',
    ],
    FST_ERR_REP_READABLE_STREAM_LOCKED: [
      'ReadableStream was locked. You should call releaseLock() method on reader before sending.',
    ],
    FST_ERR_REP_RESPONSE_BODY_CONSUMED: ['Response.body is already consumed.'],
  }) as const

const artifactCatalogue = () =>
  ({
    FST_ERR_AOT_FUNCTION_MISSING: ['The artifact has no %s for %s%s: %s.%s'],
    FST_ERR_AOT_ARTIFACT_MISSING: [
      'No artifact is loaded, but %s%s has a schema. Run "%s" and preload its register.js, or compile in process with `--import framework/development`.',
    ],
    FST_ERR_AOT_ARTIFACT_VERSION: [
      'The artifact was built by version %s of framework, this is version %s. Run "%s".',
    ],
    FST_ERR_AOT_ARTIFACT_DAMAGED: ['The artifact is damaged: %s. Run "%s".'],
    FST_ERR_AOT_OTHER_LINE: [
      'The artifact was built for an application on %s, and this one answers like %s. Run "%s". If both are in this process, build an entry for each, and give each its artifact by `aot: { artifact }`.',
    ],
    FST_ERR_AOT_OTHER_BUILD: [
      'The deployment is incomplete, or put together from several builds: %s. Run "%s".',
    ],
    FST_ERR_AOT_PACKAGE_MISSING: ['%s cannot be loaded here: %s.'],
    FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION: [
      'Schemas are compiled in process only in development, but NODE_ENV is "production". Run "%s".',
    ],
  }) as const

const deploymentCatalogue = () =>
  ({
    FST_ERR_DEPLOY_BOOT_REFUSED: [
      'Booting the application needs what the platform only allows during requests: %s Deploy it with `--late-boot`, then the first request boots it.',
    ],
    FST_ERR_DEPLOY_COMPATIBILITY_DATE: [
      '%s needs a `compatibility_date` of %s or later and the flag `nodejs_compat`. Without a wrangler configuration of your own, that of the deployment has both.',
    ],
    FST_ERR_DEPLOY_NO_TRANSPORT: [
      'Transports of the logger run in threads, which Workers lack. Leave `transport` out here, for example if NODE_ENV is "production": it is in deployments.',
    ],
    FST_ERR_DEPLOY_NOT_LISTENING: [
      'The Worker has started, but the entry has not called `listen`. If an error has prevented it, the error was lost: await the function that calls `listen` at the top level of the entry, or log what it rejects with: `start().catch(console.error)`.',
    ],
    FST_ERR_DEPLOY_SECOND_APPLICATION: [
      'A second application calls `listen`, but only one can be served here. Deploy each with an entry of its own.',
    ],
  }) as const

export type ErrorCode = keyof ReturnType<typeof catalogue>
type BootErrorCode = keyof ReturnType<typeof bootCatalogue>
export type Fastify5ErrorCode = keyof ReturnType<typeof fastify5Catalogue>
type ArtifactErrorCode = keyof ReturnType<typeof artifactCatalogue>
type DeploymentErrorCode = keyof ReturnType<typeof deploymentCatalogue>

export type ErrorCodes<Code extends string> = { readonly [code in Code]: FastifyErrorConstructor }

/** Fastify 4.21's catalogue: codes, messages, statuses and base classes. */
export const errorCodes: ErrorCodes<ErrorCode> = classesOf(catalogue)

/** Errors of the boot queue, under its own codes; see `toPublicBootError`. */
export const bootErrorCodes: ErrorCodes<BootErrorCode> = classesOf(bootCatalogue)

/** Errors about features of Fastify 5, which aren't in the catalogue of 4.21. */
export const fastify5ErrorCodes: ErrorCodes<Fastify5ErrorCode> = classesOf(fastify5Catalogue)

/** Errors about artifacts and the environment, which aren't in Fastify's catalogue. */
export const artifactErrorCodes: ErrorCodes<ArtifactErrorCode> = classesOf(artifactCatalogue)

/** Errors of deployments, which aren't in Fastify's catalogue. */
export const deploymentErrorCodes: ErrorCodes<DeploymentErrorCode> = classesOf(deploymentCatalogue)

const publicBootErrors: Record<BootErrorCode, ErrorCode> = {
  AVV_ERR_CALLBACK_NOT_FN: 'FST_ERR_PLUGIN_CALLBACK_NOT_FN',
  AVV_ERR_PLUGIN_NOT_VALID: 'FST_ERR_PLUGIN_NOT_VALID',
  AVV_ERR_PARENT_PLG_LOADED: 'FST_ERR_PARENT_PLUGIN_BOOTED',
  AVV_ERR_ROOT_PLG_BOOTED: 'FST_ERR_ROOT_PLG_BOOTED',
  AVV_ERR_READY_TIMEOUT: 'FST_ERR_PLUGIN_TIMEOUT',
  AVV_ERR_PLUGIN_EXEC_TIMEOUT: 'FST_ERR_PLUGIN_TIMEOUT',
}

/** Returns the error that `ready` reports: a boot queue error becomes the `cause` of a catalogued one. */
export function toPublicBootError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = publicBootErrors[error.code as BootErrorCode]
  if (code === undefined) return error
  return Object.assign(new errorCodes[code](error.message), { cause: error })
}

function classesOf<Code extends string>(
  definitions: () => Record<Code, Definition>,
): ErrorCodes<Code> {
  return createOnAccess(() => toClasses(definitions()))
}

export function toClasses<Code extends string>(
  definitions: Record<Code, Definition>,
): ErrorCodes<Code> {
  const classes = {} as Record<Code, FastifyErrorConstructor>
  for (const code in definitions) {
    const [message, kind = 500, base] = definitions[code]
    const [statusCode, Base] = typeof kind === 'number' ? [kind, base] : [500, kind]
    classes[code] = createError(code, message, statusCode, Base)
  }
  return classes
}

/**
 * Creates an object on first access. Most processes never throw these errors, and a hundred classes would add
 * a millisecond to every cold start.
 */
export function createOnAccess<T extends object>(create: () => T): T {
  const target = {} as T
  let isCreated = false
  const created = (): T => {
    if (!isCreated) Object.assign(target, create())
    isCreated = true
    return target
  }
  // Node would print the proxy's target.
  Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), {
    value: () => ({ ...created() }),
  })
  return new Proxy(target, {
    get: (_, key) => Reflect.get(created(), key) as unknown,
    has: (_, key) => Reflect.has(created(), key),
    ownKeys: () => Reflect.ownKeys(created()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(created(), key),
    set: (_, key, value) => Reflect.set(created(), key, value),
  })
}
