/** Members of the standard error payload. */
interface ErrorPayload {
  readonly statusCode?: number | undefined
  readonly code?: unknown
  readonly error?: unknown
  readonly message?: unknown
}

/** Serializes the standard error payload in the order that clients see: statusCode, code, error, message. Undefined members are left out. */
export function serializeError({ statusCode, code, error, message }: ErrorPayload): string {
  const status = statusCode === undefined ? undefined : toNumber(statusCode)
  const members = Object.entries({ statusCode: status, code, error, message })
  const defined = members.filter(([, value]) => value !== undefined)
  return `{${defined.map(([name, value]) => `"${name}":${toJson(value)}`).join()}}`
}

function toNumber(value: unknown): number {
  const number = Number(value)
  if (!Number.isNaN(number)) return number
  throw new Error(`The value "${String(value)}" cannot be converted to a number.`)
}

/**
 * Other values than strings keep their JSON form, as in Fastify: codes of other libraries' errors may be
 * numbers. `null` fails as it does there.
 */
function toJson(value: unknown): string {
  if (value === null) throw new TypeError("Cannot read properties of null (reading 'length')")
  return JSON.stringify(value)
}
