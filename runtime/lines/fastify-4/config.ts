/** The options that Fastify 4.21 exposes as `initialConfig`. */
import {
  commonChecks,
  copy,
  defaultInitOptions,
  fault,
  freezeDeep,
  isObject,
  missing,
  Problem,
  toBoolean,
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
    ...commonChecks,
    jsonShorthand: toBoolean,
    requestIdHeader: toRequestIdHeader,
    versioning: toVersioning,
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
