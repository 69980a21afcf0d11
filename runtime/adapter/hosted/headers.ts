export type Value = string | number | readonly string[]

/** Headers that frame a message or a connection: the platform writes its own, and HTTP/2 forbids them. */
const FRAMING = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers of an answer while they are put together, as node:http keeps them: names in any case, any value. */
export class OutgoingHeaders {
  /** By name in lower case. */
  readonly #entries = new Map<string, { readonly name: string; readonly value: Value }>()

  /** @throws TypeError with Node's codes, for what cannot stand in a header */
  set(name: string, value: Value): void {
    this.setAll([[name, value]])
  }

  /** All or, when one of them cannot stand in a header, none. @throws as `set` */
  setAll(entries: readonly (readonly [string, Value])[]): void {
    for (const [name, value] of entries) {
      assertName(name)
      for (const one of Array.isArray(value) ? value : [value]) assertValue(name, one)
    }
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

  /** As they were written. */
  rawNames(): string[] {
    return [...this.#entries.values()].map(({ name }) => name)
  }

  toObject(): Record<string, Value> {
    const object = Object.create(null) as Record<string, Value>
    for (const [name, { value }] of this.#entries) object[name] = value
    return object
  }

  /** What goes out: by names in lower case, without what frames a message or a connection. */
  *outgoing(): Generator<readonly [string, Value]> {
    for (const [name, { value }] of this.#entries) if (!FRAMING.has(name)) yield [name, value]
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/

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
