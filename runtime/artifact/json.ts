/**
 * What JSON says of a schema, made to say all that a compiler sees of it: two schemas that JSON alone takes for one, but
 * that are not compiled to the same, have different texts here.
 *
 * Most schemas are plain data, for which the engine's own JSON is exact: they stay as they are. In others, what it would
 * drop or change is named.
 */

/** The only key of an object that stands for what has no JSON; nobody writes it. */
const MARK = '\0'

/** Keywords whose values are compared with data: what is no plain object is equal to none. */
const compared = new Set(['const', 'enum'])

const { getOwnPropertyNames, getPrototypeOf, values } = Object
const objectPrototype = Object.prototype
const arrayPrototype = Array.prototype

/**
 * The value itself, or what stands for it in JSON.
 *
 * @param withFunctions whether functions in it count, as they do for keywords of an application
 */
export function toJson(value: unknown, withFunctions: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  try {
    return isJson(value) ? value : describe(value, { withFunctions, isCompared: false })
  } catch (error) {
    // It goes round in circles, or is as good as endless: JSON says so as well.
    if (error instanceof RangeError) return value
    throw error
  }
}

/** Whether the value's JSON alone says all of it. */
export function isExact(value: unknown): boolean {
  const whole = toJson(value, false)
  return whole === value || JSON.stringify(whole) === JSON.stringify(value)
}

/** Whether JSON may be inexact for a value in this JSON: for a date, a number that is none, or an item that is not there. */
export function mayBeInexact(json: string): boolean {
  return /[:,[]null|Z"/.test(json)
}

/** Whether all that lies in a value is plain data. */
export function isJson(value: object): boolean {
  const prototype: unknown = getPrototypeOf(value)
  if (prototype === arrayPrototype) return isJsonList(value as unknown[])
  if (prototype !== objectPrototype) return false
  const members: unknown[] = values(value)
  if (getOwnPropertyNames(value).length !== members.length) return false
  for (let i = 0; i < members.length; i++) {
    const member = members[i]
    if (typeof member === 'object') {
      if (member !== null && !isJson(member)) return false
    } else if (typeof member === 'number') {
      if (!Number.isFinite(member)) return false
    } else if (typeof member === 'function') {
      // As `toJSON` it would speak for the object.
      return false
    }
  }
  return true
}

function isJsonList(list: readonly unknown[]): boolean {
  if (getOwnPropertyNames(list).length !== list.length + 1) return false
  for (let i = 0; i < list.length; i++) {
    const member = list[i]
    switch (typeof member) {
      case 'string':
      case 'boolean':
      case 'bigint':
        break
      case 'number':
        if (!Number.isFinite(member)) return false
        break
      case 'object':
        if (member !== null && !isJson(member)) return false
        break
      default:
        return false
    }
  }
  return true
}

interface Manner {
  readonly withFunctions: boolean
  /** Whether it is compared with data. */
  readonly isCompared: boolean
}

/** An object that no other value becomes. */
function mark(kind: string, ...about: readonly unknown[]): unknown {
  return { [MARK]: [kind, ...about] }
}

function describe(value: unknown, manner: Manner): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : mark('number', String(value))
    case 'undefined':
      return mark('undefined')
    case 'symbol':
      return mark('symbol')
    case 'function':
      return mark('function', manner.withFunctions ? value.name : '')
    case 'object':
      if (value === null) return null
      return Array.isArray(value)
        ? Array.from(value, (member) => describe(member, manner))
        : describeObject(value, manner)
    default:
      // JSON takes no bigint, and says so.
      return value
  }
}

function describeObject(value: object, manner: Manner): unknown {
  if (value instanceof RegExp) return mark('regexp', String(value))
  if (value instanceof Date) return mark('date', String(value.getTime()))
  for (const Wrapper of [String, Number, Boolean]) {
    if (value instanceof Wrapper) return mark('wrapped', Wrapper.name, String(value))
  }
  const shown: [string, unknown][] = []
  const hidden: [string, unknown][] = []
  for (const name of getOwnPropertyNames(value)) {
    const isShown = Object.prototype.propertyIsEnumerable.call(value, name)
    add(isShown ? shown : hidden, value, name, manner)
  }
  const inherited: [string, unknown][] = []
  for (let owner = heirOf(value); owner !== null; owner = heirOf(owner)) {
    for (const name of getOwnPropertyNames(owner)) {
      if (!Object.hasOwn(value, name)) add(inherited, value, name, manner)
    }
  }
  const isOdd = hidden.length > 0 || inherited.length > 0
  const isInstance = manner.isCompared && getPrototypeOf(value) !== objectPrototype
  if (isOdd || isInstance) return mark('object', isInstance, shown, hidden, inherited)
  return Object.fromEntries(shown)
}

/** What an object inherits from, if that is not what every object does, in whichever realm. */
function heirOf(value: object): object | null {
  const prototype = getPrototypeOf(value) as object | null
  if (prototype === null || prototype === objectPrototype) return null
  return getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
    ? null
    : prototype
}

/** Adds a member, unless it says nothing to a compiler. */
function add(
  members: [string, unknown][],
  value: object,
  name: string,
  { withFunctions, isCompared }: Manner,
): void {
  const member = (value as Record<string, unknown>)[name]
  if (member === undefined || typeof member === 'symbol') return
  if (typeof member === 'function' && (!withFunctions || name === 'constructor')) return
  members.push([
    name,
    describe(member, { withFunctions, isCompared: isCompared || compared.has(name) }),
  ])
}
