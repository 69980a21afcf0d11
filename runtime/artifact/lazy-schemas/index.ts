/**
 * Lazy schemas replace schemas that the build has compiled in a deployment, so that a start doesn't parse these.
 *
 * A lazy schema is a plain object with the members of the schema, in their order. They're accessors until one of them is read, which
 * turns all of them into the values of the schema. Code that copies, serializes, compares or sets members reads them first, and
 * sees only the schema. The runtime alone gets the numbers of untouched ones, by which it finds their functions.
 */

/** The schemas that lazy schemas stand for, by number. */
export interface LazySchemaSource {
  /** Returns the schema: plain data, new for each call. */
  read(nth: number): Fields
  /** Checks whether it was compiled as the schema of a route, normalized with `jsonShorthand`. */
  isRoute(nth: number, jsonShorthand: boolean): boolean
  /** Checks whether it was compiled as the schema of a part that normalizing leaves unchanged. */
  isPart(nth: number): boolean
}

/** The state of a lazy schema. It's a function that `util.inspect` calls, because that doesn't read accessors. */
export interface LazySchema {
  (this: unknown): unknown
  /** The lazy schema itself. Its accessors may be copied to other objects. */
  owner: object
  source: LazySchemaSource
  nth: number
  shape: Shape
  /** Normalizes the value when it's read. */
  finish: ((value: Fields) => void) | undefined
  /** Set once it was read. */
  value: Fields | undefined
}

/** The members of lazy schemas. */
export interface Shape {
  readonly names: readonly string[]
  readonly descriptors: PropertyDescriptorMap
  /** Members that are compiled, if it's the schema of a route. */
  readonly parts: readonly string[]
  /** Getters by position in `PARTS`; `undefined` for members that don't exist. */
  readonly getters: readonly unknown[]
  readonly hasRequestParts: boolean
  readonly hasResponses: boolean
}

type Fields = Record<PropertyKey, unknown>

/** A hidden member, which is deleted when the schema is read. */
const LAZY: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

const PARTS = ['headers', 'body', 'querystring', 'query', 'params', 'response'] as const

/** Members of a route's schema that are compiled. */
export const routeParts: ReadonlySet<string> = new Set(PARTS)

const { defineProperty, getOwnPropertyDescriptor } = Object

/**
 * Returns a getter without calling it. A start does this thousands of times, before anything is optimized: descriptors take five times
 * as long as this function of the engine.
 */
const lookUpGetter: (this: object, name: string) => unknown = (
  Object.prototype as { __lookupGetter__?: (name: string) => unknown }
).__lookupGetter__ as never

const accessors = new Map<string, PropertyDescriptor>()
/** Descriptor of the state, which is set before each call of `Object.defineProperties`. */
const hidden: PropertyDescriptor = { value: undefined, configurable: true }

/** @param names of members, in their order */
export function createShape(names: readonly string[]): Shape {
  const descriptors: PropertyDescriptorMap & { [LAZY]?: PropertyDescriptor } = {}
  for (const name of names) descriptors[name] = accessorOf(name)
  descriptors[LAZY] = hidden
  const parts = names.filter((name) => routeParts.has(name))
  const hasResponses = parts.includes('response')
  return {
    names,
    descriptors,
    parts,
    getters: PARTS.map((name) => (names.includes(name) ? accessorOf(name).get : undefined)),
    hasRequestParts: parts.length > (hasResponses ? 1 : 0),
    hasResponses,
  }
}

export function createLazySchema(source: LazySchemaSource, nth: number, shape: Shape): object {
  const lazySchema = function (this: unknown) {
    fill(lazySchema)
    return Object.hasOwn(this as object, LAZY) ? lazySchema.value : this
  } as LazySchema
  hidden.value = lazySchema
  const owner = Object.defineProperties({}, shape.descriptors)
  lazySchema.owner = owner
  lazySchema.source = source
  lazySchema.nth = nth
  lazySchema.shape = shape
  lazySchema.finish = undefined
  lazySchema.value = undefined
  return owner
}

/** Returns a route's schema as a lazy schema, if no member that is compiled was read, changed, added or deleted. */
export function untouchedRoute(schema: object): LazySchema | undefined {
  const lazySchema = unreadLazySchema(schema)
  if (lazySchema === undefined) return undefined
  return hasUntouchedParts(schema, lazySchema) ? lazySchema : undefined
}

function hasUntouchedParts(schema: object, { shape, finish }: LazySchema): boolean {
  for (let i = 0; i < PARTS.length; i++) {
    const name = PARTS[i] as string
    const getter = shape.getters[i]
    if (getter !== undefined) {
      if (lookUpGetter.call(schema, name) !== getter) return false
    } else if (name in schema) {
      // Normalizing adds `querystring`.
      if (name !== 'querystring' || finish === undefined || !isUnread(schema, name)) return false
    }
  }
  return true
}

/** Returns the schema of a part as a lazy schema, if no member was read, changed, added or deleted. */
export function untouchedPart(schema: object): LazySchema | undefined {
  const lazySchema = unreadLazySchema(schema)
  if (lazySchema === undefined) return undefined
  const { names } = lazySchema.shape
  const current = Object.getOwnPropertyNames(schema)
  if (current.length !== names.length || Object.getPrototypeOf(schema) !== Object.prototype) {
    return undefined
  }
  for (let i = 0; i < names.length; i++) {
    if (current[i] !== names[i] || !isUnread(schema, names[i] as string)) return undefined
  }
  return lazySchema
}

/**
 * Normalizes a route's schema when it's read, if it's lazy and the build knows the result.
 *
 * @param finish normalizes the value, a new object
 * @returns whether it's postponed
 */
export function postponeNormalizing(
  schema: object,
  jsonShorthand: boolean,
  finish: (value: Fields) => void,
): boolean {
  const lazySchema = untouchedRoute(schema)
  if (lazySchema?.source.isRoute(lazySchema.nth, jsonShorthand) !== true) return false
  if (!Object.isExtensible(schema)) return false
  lazySchema.finish = finish
  if (lazySchema.shape.parts.includes('query')) {
    defineProperty(schema, 'querystring', accessorOf('querystring'))
  }
  return true
}

function unreadLazySchema(schema: object): LazySchema | undefined {
  const lazySchema = (schema as { [LAZY]?: unknown })[LAZY] as LazySchema | undefined
  const isOwn = typeof lazySchema === 'function' && lazySchema.owner === schema
  return isOwn && lazySchema.value === undefined ? lazySchema : undefined
}

function isUnread(schema: object, name: string): boolean {
  return lookUpGetter.call(schema, name) === accessorOf(name).get
}

/** Returns one accessor per name, so that all lazy schemas have the same shapes for the engine. */
function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name)
  if (accessor === undefined) accessors.set(name, (accessor = createAccessor(name)))
  return accessor
}

function createAccessor(name: string): PropertyDescriptor {
  return {
    get(this: object) {
      return readMember(this, name)
    },
    set(this: object, value: unknown) {
      writeMember(this, name, value)
    },
    enumerable: true,
    configurable: true,
  }
}

function readMember(object: object, name: string): unknown {
  const lazySchema = (object as { [LAZY]?: LazySchema })[LAZY]
  if (lazySchema === undefined) {
    throw new TypeError(`The accessor of "${name}" was copied from a schema that was not read yet`)
  }
  return fill(lazySchema)[name]
}

/** Sets a member as on a plain object: an object that inherits from it gets its own. */
function writeMember(object: object, name: string, value: unknown): void {
  const lazySchema = (object as { [LAZY]?: LazySchema })[LAZY]
  if (lazySchema?.owner === object) {
    fill(lazySchema)
    if (getOwnPropertyDescriptor(object, name)?.configurable !== true) {
      throw new TypeError(`Cannot assign to read only property '${name}' of object '#<Object>'`)
    }
  }
  defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Turns a lazy schema into its value. */
function fill(lazySchema: LazySchema): Fields {
  if (lazySchema.value !== undefined) return lazySchema.value
  const { owner, source, nth, finish } = lazySchema
  const value = source.read(nth)
  finish?.(value)
  lazySchema.value = value
  for (const name of Object.keys(value)) {
    const current = getOwnPropertyDescriptor(owner, name)
    if (current?.configurable && current.get === accessorOf(name).get) {
      defineProperty(owner, name, {
        value: value[name],
        writable: true,
        enumerable: current.enumerable ?? true,
        configurable: true,
      })
    }
  }
  // Fails for frozen objects, which also keep their accessors.
  Reflect.deleteProperty(owner, LAZY)
  return value
}
