/**
 * Writes values as JavaScript. Nothing that comes out of here is code but what this file says: strings are
 * escaped literals, names are checked identifiers.
 */
import { EmitError } from '../errors.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Line ends in older JavaScript, and what could end a script element or open a comment in HTML. */
const UNSAFE = /[\u2028\u2029]|<(?=[/!])/g

/** A string literal in double quotes; a lone surrogate is escaped. */
export function string(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The name itself, when it is an identifier. Throws a TypeError otherwise: that is a bug. */
export function identifier(name: string): string {
  if (!IDENTIFIER.test(name)) throw new TypeError(`${string(name)} is no identifier`)
  return name
}

/** `new RegExp(...)`, whose pattern is a string literal and so cannot end early. */
export function regExp(pattern: string, flags: string): string {
  return flags === ''
    ? `new RegExp(${string(pattern)})`
    : `new RegExp(${string(pattern)},${string(flags)})`
}

/**
 * An expression for a value as a schema may hold it. Throws an EmitError for what only exists in memory:
 * functions, symbols and instances of classes.
 */
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
      throw new EmitError(`a ${typeof value} inside a schema cannot be compiled ahead of time`)
  }
}

function object(value: object): string {
  if (Array.isArray(value)) return `[${Array.from(value, literal).join(',')}]`
  if (value instanceof RegExp) return regExp(value.source, value.flags)
  if (value instanceof Date) return `new Date(${literal(value.getTime())})`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    throw new EmitError('an instance of a class inside a schema cannot be compiled ahead of time')
  }
  const fields = Object.entries(value).map(([key, field]) => `${property(key)}:${literal(field)}`)
  if (prototype === null) fields.unshift('__proto__:null')
  return `{${fields.join(',')}}`
}

/** A plain `__proto__` in a literal would set the prototype. */
export function property(key: string): string {
  if (key === '__proto__') return '["__proto__"]'
  return IDENTIFIER.test(key) ? key : string(key)
}

/** Access to a property: `.name` or `["any text"]`. */
export function member(key: string): string {
  return IDENTIFIER.test(key) ? `.${key}` : `[${string(key)}]`
}
