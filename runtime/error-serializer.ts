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
  let json = ''
  if (statusCode !== undefined) json = `"statusCode":${toNumber(statusCode)}`
  if (code !== undefined) json = join(json, `"code":${toJsonString(code)}`)
  if (error !== undefined) json = join(json, `"error":${toJsonString(error)}`)
  if (message !== undefined) json = join(json, `"message":${toJsonString(message)}`)
  return `{${json}}`
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

/** A string as the serializers of response schemas write one: anything else is turned into a string first. */
function toJsonString(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null) return '""'
  if (value instanceof Date) return `"${value.toISOString()}"`
  if (value instanceof RegExp) return JSON.stringify(value.source)
  return JSON.stringify(String(value))
}
