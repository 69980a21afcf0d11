/** Writes values as JavaScript. Strings are escaped and identifiers are checked, so that no value can inject code. */

/** A value that isn't data. The message is about a value in a schema. */
export class NotData extends Error {}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Line ends in older JavaScript, and texts that could end a script element or open a comment in HTML. */
const UNSAFE = /[\u2028\u2029]|<(?=[/!])/g

/** Returns a string literal in double quotes. Lone surrogates are escaped. */
export function string(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the name if it is an identifier. Anything else is a bug. */
export function identifier(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`${string(name)} isn't an identifier`)
  return name
}

/** Returns `new RegExp(...)`: in a string literal, the pattern can't end early. */
export function regExp(pattern: string, flags: string): string {
  return flags === ''
    ? `new RegExp(${string(pattern)})`
    : `new RegExp(${string(pattern)},${string(flags)})`
}

/**
 * Like `regExp`, for an expression that many texts are tested with. With the flag `g` or `y` each test would start where the one before has
 * ended. Without a state, `y` only means that a match is at the start.
 */
export function statelessRegExp({ source, flags, sticky }: RegExp): string {
  return regExp(sticky ? `(?<![^])(?:${source})` : source, flags.replace(/[gy]/g, ''))
}

/** Returns an expression for a value in a schema. Throws NotData for functions, symbols and instances of classes, except RegExp and Date. */
export function literal(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return string(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : object(value)
    default:
      throw new NotData(`a ${typeof value} inside a schema cannot be compiled ahead of time`)
  }
}

function object(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, literal).join(',')}]`
  if (value instanceof RegExp) return regExp(value.source, value.flags)
  if (value instanceof Date) return `new Date(${literal(value.getTime())})`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new NotData('an instance of a class inside a schema cannot be compiled ahead of time')
  }
  const fields = Object.entries(value).map(([key, field]) => `${property(key)}:${literal(field)}`)
  if (prototype === null) fields.unshift('__proto__:null')
  return `{${fields.join(',')}}`
}

/** Returns a key of an object literal. A plain `__proto__` would set the prototype. */
export function property(key: string): string {
  if (key === '__proto__') return '["__proto__"]'
  return IDENTIFIER.test(key) ? key : string(key)
}

/** Returns a property access: `.name` or `["any text"]`. */
export function member(key: string): string {
  return IDENTIFIER.test(key) ? `.${key}` : `[${string(key)}]`
}
