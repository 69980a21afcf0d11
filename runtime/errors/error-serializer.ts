/** Members of the standard error payload. */
export interface ErrorPayload {
  readonly statusCode?: number | undefined
  readonly code?: unknown
  readonly error?: unknown
  readonly message?: unknown
}

/**
 * Serializes the standard error payload in the order that clients see: statusCode, code, error, message.
 * Undefined members are left out.
 */
export function serializeError({ statusCode, code, error, message }: ErrorPayload): string {
  let json = ''
  if (statusCode !== undefined) json = `"statusCode":${toNumber(statusCode)}`
  if (code !== undefined) json = join(json, `"code":${toJson(code)}`)
  if (error !== undefined) json = join(json, `"error":${toJson(error)}`)
  if (message !== undefined) json = join(json, `"message":${toJson(message)}`)
  return `{${json}}`
}

/** Characters that JSON has to escape: controls, the quote, the backslash, and surrogates in case one is alone. */
// oxlint-disable-next-line no-control-regex -- RFC 8259 wants them escaped
const MUST_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

/** Returns whether a value is valid JSON when put in quotes. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && !MUST_ESCAPE.test(value)
}

function join(json: string, property: string): string {
  return json === '' ? property : `${json},${property}`
}

function toNumber(value: unknown): string {
  const number = Number(value)
  if (Number.isNaN(number)) {
    throw new Error(`The value "${String(value)}" cannot be converted to a number.`)
  }
  return `${number}`
}

/**
 * Other values than strings keep their JSON form, as in Fastify: codes of other libraries' errors may be
 * numbers. `null` fails as it does there.
 */
function toJson(value: unknown): string {
  if (value === null) throw new TypeError("Cannot read properties of null (reading 'length')")
  return isPlain(value) ? `"${value}"` : JSON.stringify(value)
}
