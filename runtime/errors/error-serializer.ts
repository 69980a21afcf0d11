/** What the standard error payload shows. */
export interface ErrorPayload {
  readonly statusCode?: number | undefined
  readonly code?: unknown
  readonly error?: unknown
  readonly message?: unknown
}

/**
 * The standard error payload, in the order that clients see: statusCode, code, error, message. What is
 * undefined is left out.
 */
export function serializeError({ statusCode, code, error, message }: ErrorPayload): string {
  if (Number.isFinite(statusCode) && isText(code) && isText(error) && isText(message)) {
    return JSON.stringify({ statusCode, code, error, message })
  }
  let json = ''
  if (statusCode !== undefined) json = `"statusCode":${toNumber(statusCode)}`
  if (code !== undefined) json = join(json, `"code":${toJson(code)}`)
  if (error !== undefined) json = join(json, `"error":${toJson(error)}`)
  if (message !== undefined) json = join(json, `"message":${toJson(message)}`)
  return `{${json}}`
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === undefined
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
 * Anything but a string keeps its own JSON form, as from Fastify: errors of other libraries have numbers for
 * codes. `null` fails as it does there.
 */
function toJson(value: unknown): string {
  if (value === null) throw new TypeError("Cannot read properties of null (reading 'length')")
  return JSON.stringify(value)
}
