/** The options that Fastify 4.21 exposes as `initialConfig`. */
import {
  commonChecks,
  copy,
  defaultInitOptions,
  freezeDeep,
  isObject,
  missing,
  Problem,
  toBoolean,
  toText,
  wrongType,
  type ConfigRules,
} from '../../context/initial-config.ts'
import { enumFailure, failure, typeFailure } from '../../generated/failure.ts'

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
  const schema = `#/properties/${path}`
  return new Problem(
    enumFailure(at, `${schema}/anyOf/0`, [false]),
    typeFailure(at, `${schema}/anyOf/1`, 'string'),
    failure(at, schema, 'anyOf', {}, 'must match a schema in anyOf'),
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
