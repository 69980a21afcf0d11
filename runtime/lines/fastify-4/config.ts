/** The options that Fastify 4.21 exposes as `initialConfig`. */
import {
  copy,
  defaultInitOptions,
  fault,
  freezeDeep,
  isObject,
  missing,
  Problem,
  toBoolean,
  toConstraints,
  toForceClose,
  toHttps,
  toInteger,
  toText,
  typeFault,
  wrongType,
  type ConfigRules,
} from '../../context/initial-config.ts'

export const config: ConfigRules = {
  defaults: {
    ...defaultInitOptions,
    jsonShorthand: true,
    requestIdHeader: 'request-id',
  },
  checks: {
    connectionTimeout: toInteger,
    keepAliveTimeout: toInteger,
    forceCloseConnections: toForceClose,
    maxRequestsPerSocket: (value, path) =>
      value === null || value === '' ? null : toInteger(value, path),
    requestTimeout: toInteger,
    bodyLimit: toInteger,
    caseSensitive: toBoolean,
    allowUnsafeRegex: toBoolean,
    http2: toBoolean,
    https: toHttps,
    ignoreTrailingSlash: toBoolean,
    ignoreDuplicateSlashes: toBoolean,
    disableRequestLogging: toBoolean,
    jsonShorthand: toBoolean,
    maxParamLength: toInteger,
    onProtoPoisoning: toText,
    onConstructorPoisoning: toText,
    pluginTimeout: toInteger,
    requestIdHeader: toRequestIdHeader,
    requestIdLogLabel: toText,
    http2SessionTimeout: toInteger,
    exposeHeadRoutes: toBoolean,
    versioning: toVersioning,
    constraints: toConstraints,
  },
}

function toRequestIdHeader(value: unknown, path: string): unknown {
  if (value === false) return value
  const text = toText(value, path)
  if (!(text instanceof Problem)) return text
  const at = `/${path}`
  const schema = `#/properties/${path}/anyOf`
  const allowed = 'must be equal to one of the allowed values'
  return new Problem(
    fault(at, `${schema}/0/enum`, { allowedValues: [false] }, allowed),
    typeFault(at, `${schema}/1`, 'string'),
    fault(at, schema, {}, 'must match a schema in anyOf'),
  )
}

function toVersioning(value: unknown, path: string): unknown {
  if (!isObject(value)) return wrongType(path, 'object')
  const versioning = copy(value)
  return (
    missing(versioning, ['storage', 'deriveVersion'], `/${path}`, `#/properties/${path}`) ??
    freezeDeep(versioning)
  )
}
