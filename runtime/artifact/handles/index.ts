/**
 * Handles: what stands in a deployment for schemas that the build has read, so that an engine need not.
 *
 * A handle is a plain object with the members of the schema, in their order. Until somebody reads one they are accessors, which
 * then become the members themselves, with the values that the schema is written with. Whoever lists, copies, serializes,
 * compares or changes a handle reads it first, and finds nothing but the schema. The runtime alone asks handles which nobody has
 * touched for their numbers, by which the build has written down what was compiled of them.
 */

/** Where the values of handles come from. */
export interface HandleSource {
  /** The value that a handle stands for: plain data, a new one for each call. */
  read(nth: number): Fields
  /** Whether the build knows it as the schema of a route, normalised with `jsonShorthand`. */
  isRoute(nth: number, jsonShorthand: boolean): boolean
  /** Whether the build knows it as the schema of a part, which normalising leaves as it is. */
  isPart(nth: number): boolean
}

/** What is known of a handle. As a function, because `util.inspect` calls it, which reads no accessor. */
export interface Handle {
  (this: unknown): unknown
  /** The object that it was made for: others may come by its accessors. */
  owner: object
  source: HandleSource
  nth: number
  shape: Shape
  /** What is to be done to the value when it is read. */
  finish: ((value: Fields) => void) | undefined
  /** Once it was read. */
  value: Fields | undefined
}

/** The members that handles have. */
export interface Shape {
  readonly names: readonly string[]
  readonly descriptors: PropertyDescriptorMap
  /** Those of the members that make functions, if it is the schema of a route. */
  readonly parts: readonly string[]
  /** Their getters; `undefined` for those that it does not have. */
  readonly getters: Readonly<Record<RoutePart, unknown>>
  readonly hasRequestParts: boolean
  readonly hasResponses: boolean
}

type Fields = Record<PropertyKey, unknown>

/** Hidden, and gone when the handle is read. */
const HANDLE: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never

const PARTS = ['headers', 'body', 'querystring', 'query', 'params', 'response'] as const

type RoutePart = (typeof PARTS)[number]

/** The members of a route's schema that make functions. */
export const routeParts: ReadonlySet<string> = new Set(PARTS)

const { defineProperty, getOwnPropertyDescriptor } = Object

/**
 * Tells accessors without reading them. Of the ways to do so the one that is the engine's own code all through: a start asks
 * thousands of times, and has nothing of it optimized. Descriptors take five times as long.
 */
const lookUpGetter: (this: object, name: string) => unknown = (
  Object.prototype as { __lookupGetter__?: (name: string) => unknown }
).__lookupGetter__ as never

const accessors = new Map<string, PropertyDescriptor>()
/** What `Object.defineProperties` is told of the handle itself; set for each call. */
const hidden: PropertyDescriptor = { value: undefined, configurable: true }

/** @param names of members, in their order */
export function createShape(names: readonly string[]): Shape {
  const descriptors: PropertyDescriptorMap & { [HANDLE]?: PropertyDescriptor } = {}
  for (const name of names) descriptors[name] = accessorOf(name)
  descriptors[HANDLE] = hidden
  const parts = names.filter((name) => routeParts.has(name))
  const getterOf = (name: RoutePart): unknown =>
    names.includes(name) ? accessorOf(name).get : undefined
  const hasResponses = parts.includes('response')
  return {
    names,
    descriptors,
    parts,
    getters: {
      headers: getterOf('headers'),
      body: getterOf('body'),
      querystring: getterOf('querystring'),
      query: getterOf('query'),
      params: getterOf('params'),
      response: getterOf('response'),
    },
    hasRequestParts: parts.length > (hasResponses ? 1 : 0),
    hasResponses,
  }
}

export function createHandle(source: HandleSource, nth: number, shape: Shape): object {
  const handle = function (this: unknown) {
    fill(handle)
    return Object.hasOwn(this as object, HANDLE) ? handle.value : this
  } as Handle
  hidden.value = handle
  const owner = Object.defineProperties({}, shape.descriptors)
  handle.owner = owner
  handle.source = source
  handle.nth = nth
  handle.shape = shape
  handle.finish = undefined
  handle.value = undefined
  return owner
}

/** The handle that a route has as its schema, if no member that makes functions was read, changed, added or taken away. */
export function untouchedRoute(schema: object): Handle | undefined {
  const handle = unreadHandle(schema)
  if (handle === undefined) return undefined
  return hasUntouchedParts(schema, handle) ? handle : undefined
}

/** Without loops, which a start with a thousand routes would have an engine optimize, at the cost of all these look-ups. */
function hasUntouchedParts(schema: object, { shape, finish }: Handle): boolean {
  const { headers, body, querystring, query, params, response } = shape.getters
  return (
    (body ? lookUpGetter.call(schema, 'body') === body : !('body' in schema)) &&
    (params ? lookUpGetter.call(schema, 'params') === params : !('params' in schema)) &&
    (response ? lookUpGetter.call(schema, 'response') === response : !('response' in schema)) &&
    (headers ? lookUpGetter.call(schema, 'headers') === headers : !('headers' in schema)) &&
    (query ? lookUpGetter.call(schema, 'query') === query : !('query' in schema)) &&
    (querystring
      ? lookUpGetter.call(schema, 'querystring') === querystring
      : // Normalising adds it.
        !('querystring' in schema) || (finish !== undefined && isUnread(schema, 'querystring')))
  )
}

/** The handle that a part of a route has as its schema, if nothing of it was read, changed, added or taken away. */
export function untouchedPart(schema: object): Handle | undefined {
  const handle = unreadHandle(schema)
  if (handle === undefined) return undefined
  const { names } = handle.shape
  const now = Object.getOwnPropertyNames(schema)
  if (now.length !== names.length || Object.getPrototypeOf(schema) !== Object.prototype) {
    return undefined
  }
  for (let i = 0; i < names.length; i++) {
    if (now[i] !== names[i] || !isUnread(schema, names[i] as string)) return undefined
  }
  return handle
}

/**
 * Normalises the schema of a route when it is read, if the build knows what that comes to.
 *
 * @param handle what `untouchedRoute` gives for the schema
 * @param finish does it
 * @returns whether it is left till then
 */
export function postponeNormalizing(
  schema: object,
  handle: Handle,
  jsonShorthand: boolean,
  finish: (value: Fields) => void,
): boolean {
  if (!handle.source.isRoute(handle.nth, jsonShorthand)) return false
  if (!Object.isExtensible(schema)) return false
  handle.finish = finish
  if (handle.shape.parts.includes('query')) {
    defineProperty(schema, 'querystring', accessorOf('querystring'))
  }
  return true
}

function unreadHandle(schema: object): Handle | undefined {
  const handle = (schema as { [HANDLE]?: unknown })[HANDLE] as Handle | undefined
  const isOwn = typeof handle === 'function' && handle.owner === schema
  return isOwn && handle.value === undefined ? handle : undefined
}

function isUnread(schema: object, name: string): boolean {
  return lookUpGetter.call(schema, name) === accessorOf(name).get
}

/** One for each name, so that an engine finds the same shapes in all handles. */
function accessorOf(name: string): PropertyDescriptor {
  let accessor = accessors.get(name)
  if (accessor === undefined) accessors.set(name, (accessor = createAccessor(name)))
  return accessor
}

function createAccessor(name: string): PropertyDescriptor {
  const accessor: PropertyDescriptor = {
    get(this: object) {
      return readMember(this, name)
    },
    set(this: object, value: unknown) {
      writeMember(this, name, value)
    },
    enumerable: true,
    configurable: true,
  }
  return accessor
}

function readMember(object: object, name: string): unknown {
  const handle = (object as { [HANDLE]?: Handle })[HANDLE]
  if (handle === undefined) {
    throw new TypeError(`The accessor of "${name}" was copied from a schema that was not read yet`)
  }
  return fill(handle)[name]
}

/** As a member of a plain object is written: what inherits from it gets its own. */
function writeMember(object: object, name: string, value: unknown): void {
  const handle = (object as { [HANDLE]?: Handle })[HANDLE]
  if (handle?.owner === object) {
    fill(handle)
    if (getOwnPropertyDescriptor(object, name)?.configurable !== true) {
      throw new TypeError(`Cannot assign to read only property '${name}' of object '#<Object>'`)
    }
  }
  defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Makes the handle what it stands for. */
function fill(handle: Handle): Fields {
  if (handle.value !== undefined) return handle.value
  const { owner, source, nth, finish } = handle
  const value = source.read(nth)
  finish?.(value)
  handle.value = value
  for (const name of Object.keys(value)) {
    const now = getOwnPropertyDescriptor(owner, name)
    if (now?.configurable && now.get === accessorOf(name).get) {
      defineProperty(owner, name, {
        value: value[name],
        writable: true,
        enumerable: now.enumerable ?? true,
        configurable: true,
      })
    }
  }
  // What is frozen keeps it, with the accessors.
  Reflect.deleteProperty(owner, HANDLE)
  return value
}
