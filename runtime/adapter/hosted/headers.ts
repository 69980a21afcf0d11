export type Value = string | number | readonly string[]

/** By name in lower case. */
export type HeaderRecord = Record<string, Value>

/** Headers of the connection or of message framing. The platform writes its own, and HTTP/2 forbids them. */
export const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers of a response, with the checks of `node:http`. Names are case-insensitive. */
export class OutgoingHeaders {
  /** By name in lower case. */
  readonly #entries = new Map<string, { readonly name: string; readonly value: Value }>()

  constructor(headers: HeaderRecord = {}) {
    this.setAll(Object.entries(headers))
  }

  /** @throws TypeError with Node's codes for an invalid name or value */
  set(name: string, value: Value): void {
    this.setAll([[name, value]])
  }

  /** Sets all headers, or none if one is invalid. @throws as `set` */
  setAll(entries: readonly (readonly [string, Value])[]): void {
    for (const [name, value] of entries) assertHeader(name, value)
    for (const [name, value] of entries) {
      this.#entries.set(name.toLowerCase(), { name, value })
    }
  }

  append(name: string, value: string | readonly string[]): void {
    const present = this.get(name)
    const values = present === undefined ? [] : Array.isArray(present) ? present : [String(present)]
    this.set(name, [...values, ...(Array.isArray(value) ? value : [value as string])])
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name.toLowerCase())?.value
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  delete(name: string): void {
    this.#entries.delete(name.toLowerCase())
  }

  /** In lower case. */
  names(): string[] {
    return [...this.#entries.keys()]
  }

  /** In their original case. */
  rawNames(): string[] {
    return [...this.#entries.values()].map(({ name }) => name)
  }

  toObject(): HeaderRecord {
    const object = Object.create(null) as HeaderRecord
    for (const [name, { value }] of this.#entries) object[name] = value
    return object
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/** @throws as `set` */
export function assertHeader(name: string, value: unknown): void {
  assertName(name)
  if (Array.isArray(value)) for (const one of value) assertValue(name, one)
  else assertValue(name, value)
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
