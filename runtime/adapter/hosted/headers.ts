export type Value = string | number | readonly string[]

/** By name in lower case. */
export type HeaderRecord = Record<string, Value>

/** Headers of the connection and of message framing, which the platform writes itself. HTTP/2 forbids most of them. */
export const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** @throws TypeError with Node's codes for an invalid name or value */
export function assertHeader(name: string, value: unknown): void {
  assertName(name)
  if (Array.isArray(value)) for (const one of value) assertValue(name, one)
  else assertValue(name, value)
}

/** @throws TypeError with Node's code for characters that a status line can't contain */
export function assertStatusMessage(message: string | undefined): void {
  if (message === undefined || !NOT_IN_VALUE.test(message)) return
  throw withCode('ERR_INVALID_CHAR', 'Invalid character in statusMessage')
}

function assertName(name: unknown): void {
  if (typeof name === 'string' && TOKEN.test(name)) return
  throw withCode(
    'ERR_INVALID_HTTP_TOKEN',
    `Header name must be a valid HTTP token ["${String(name)}"]`,
  )
}

function assertValue(name: string, value: unknown): void {
  if (value === undefined) {
    throw withCode(
      'ERR_HTTP_INVALID_HEADER_VALUE',
      `Invalid value "undefined" for header "${name}"`,
    )
  }
  if (NOT_IN_VALUE.test(String(value))) {
    throw withCode('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`)
  }
}

function withCode(code: string, message: string): TypeError {
  return Object.assign(new TypeError(message), { code })
}

/** Headers may be an object, a list of pairs, or alternating names and values. Lists may repeat a name. */
export function toEntries(
  headers: Record<string, Value> | readonly unknown[] | undefined,
): [string, Value][] {
  if (!Array.isArray(headers)) return Object.entries((headers ?? {}) as Record<string, Value>)
  const list = (Array.isArray(headers[0]) ? headers.flat() : headers) as Value[]
  const entries = new Map<string, [string, Value]>()
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [list[i] as string, list[i + 1] as Value]
    const key = String(name).toLowerCase()
    const present = entries.get(key)?.[1]
    entries.set(key, [name, present === undefined ? value : ([present, value].flat() as string[])])
  }
  return [...entries.values()]
}
