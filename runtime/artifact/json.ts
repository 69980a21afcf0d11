/**
 * JSON of schemas that preserves everything a compiler sees: schemas with equal JSON that compile differently get different texts.
 *
 * Most schemas are plain data, which JSON describes exactly. They stay unchanged. In others, descriptions replace the values that
 * JSON would drop or change, unless compilers ignore them.
 */

/** Key of objects that represent values without JSON. No schema uses it. */
const MARK = '\0'

/** Keywords whose values are compared with data. There, an instance of a class equals nothing. */
const compared = new Set(['const', 'enum'])

const { getOwnPropertyNames, getPrototypeOf, values } = Object
const objectPrototype = Object.prototype
const arrayPrototype = Array.prototype

/**
 * Returns the value, or its JSON representation.
 *
 * @param withFunctions include functions, as the application's own keywords require
 */
export function toJson(value: unknown, withFunctions: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    return isJson(value) ? value : describe(value, { withFunctions, isCompared: false })
  } catch (error) {
    // The value is cyclic or nested too deeply. JSON.stringify will report it.
    if (error instanceof RangeError) return value
    throw error
  }
}

/** Returns whether the value's JSON describes all that compilers see of it, except for functions. */
export function isExact(value: unknown): boolean {
  const json = toJson(value, false)
  return json === value || JSON.stringify(json) === JSON.stringify(value)
}

/** Returns whether a JSON text hints at an inexact value: `Z"` may end a date, and `null` may be NaN or a hole in an array. */
export function mayBeInexact(json: string): boolean {
  return /[:,[]null|Z"/.test(json)
}

/** Returns whether the prototype of a value is `Object.prototype`. */
export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && getPrototypeOf(value) === objectPrototype
}

/** Returns true if JSON keeps everything that compilers see of a value. */
export function isJson(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value)
  const isList = prototype === arrayPrototype
  if (!isList && prototype !== objectPrototype) return false
  const members: readonly unknown[] = isList ? (value as unknown[]) : values(value)
  // Lists have a `length` as well.
  const count = getOwnPropertyNames(value).length - (isList ? 1 : 0)
  if (count !== members.length) return false
  for (let i = 0; i < members.length; i++) {
    const member = members[i]
    if (typeof member === 'object') {
      if (member !== null && !isJson(member)) return false
    } else if (typeof member === 'number') {
      if (!Number.isFinite(member)) return false
    } else if (typeof member === 'function') {
      // A member `toJSON` would replace the object.
      return false
    } else if (isList && (member === undefined || typeof member === 'symbol')) {
      return false
    }
  }
  return true
}

interface DescribeOptions {
  readonly withFunctions: boolean
  /** True inside of values that are compared with data. */
  readonly isCompared: boolean
}

/** Creates the description of a value, which differs from the JSON of all other schemas. */
function mark(kind: string, ...about: readonly unknown[]): unknown {
  return { [MARK]: [kind, ...about] }
}

function describe(value: unknown, options: DescribeOptions): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : mark('number', String(value))
    case 'undefined':
      return mark('undefined')
    case 'symbol':
      return mark('symbol')
    case 'function':
      return mark('function', options.withFunctions ? value.name : '')
    case 'object':
      if (value === null) return null
      return Array.isArray(value)
        ? Array.from(value, (member) => describe(member, options))
        : describeObject(value, options)
    default:
      // JSON.stringify reports bigints itself.
      return value
  }
}

function describeObject(value: object, options: DescribeOptions): unknown {
  if (value instanceof RegExp) return mark('regexp', String(value))
  if (value instanceof Date) return mark('date', String(value.getTime()))
  for (const Wrapper of [String, Number, Boolean]) {
    if (value instanceof Wrapper) return mark('wrapped', Wrapper.name, String(value))
  }
  const shown: [string, unknown][] = []
  const hidden: [string, unknown][] = []
  for (const name of getOwnPropertyNames(value)) {
    const isShown = Object.prototype.propertyIsEnumerable.call(value, name)
    // Libraries hide what they know of a schema under such names: TypeBox `~kind`, Zod the functions of https://standardschema.dev.
    // These aren't keywords.
    if (isShown || !name.startsWith('~')) add(isShown ? shown : hidden, value, name, options)
  }
  const inherited: [string, unknown][] = []
  for (let owner = prototypeOf(value); owner !== null; owner = prototypeOf(owner)) {
    for (const name of getOwnPropertyNames(owner)) {
      if (!Object.hasOwn(value, name)) add(inherited, value, name, options)
    }
  }
  const hasUnlisted = hidden.length > 0 || inherited.length > 0
  const isInstance = options.isCompared && getPrototypeOf(value) !== objectPrototype
  if (hasUnlisted || isInstance) return mark('object', isInstance, shown, hidden, inherited)
  return Object.fromEntries(shown)
}

/** Returns an object's prototype, or `null` if it is `Object.prototype`, of any realm. */
function prototypeOf(value: object): object | null {
  const prototype = getPrototypeOf(value) as object | null
  if (prototype === null || prototype === objectPrototype) return null
  return getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
    ? null
    : prototype
}

/** Adds a member, unless compilers ignore it. */
function add(
  members: [string, unknown][],
  value: object,
  name: string,
  { withFunctions, isCompared }: DescribeOptions,
): void {
  const member = (value as Record<string, unknown>)[name]
  if (member === undefined || typeof member === 'symbol') return
  if (typeof member === 'function' && (!withFunctions || name === 'constructor')) return
  members.push([
    name,
    describe(member, { withFunctions, isCompared: isCompared || compared.has(name) }),
  ])
}
