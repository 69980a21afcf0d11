/**
 * Types of a schema library that a deployment creates when something reads them: a start creates thousands, which takes longer than to
 * import the library, and a process may serve a few routes. What was read is a member like any other.
 */
type Fields = Record<string, unknown>

/** Getters of members that were not read yet. */
const unread = new WeakSet<object>()
/** True once `createOnRead` was called. Most applications never call it, and then no getters are looked up. */
let inUse = false

/**
 * Replaces functions by what they return, once it's read.
 *
 * @param owner a literal of the application, whose members with these names are functions
 */
export function createOnRead(owner: Fields, names: readonly string[]): Fields {
  inUse = true
  for (const name of names) postpone(owner, name, owner[name] as () => unknown)
  return owner
}

function postpone(owner: Fields, name: string, create: () => unknown): void {
  let value: unknown
  const get = (): unknown => {
    if (unread.has(get)) {
      value = create()
      unread.delete(get)
      // A frozen object keeps the accessor.
      Reflect.defineProperty(owner, name, { ...writable, value })
    }
    return value
  }
  function set(this: object, given: unknown): void {
    // As on a plain object: one that inherits from it gets its own member.
    Object.defineProperty(this, name, { ...writable, value: given })
  }
  unread.add(get)
  Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true })
}

const writable = { writable: true, enumerable: true, configurable: true }

export function isUnread(owner: object, name: string): boolean {
  if (!inUse) return false
  const getter = Object.getOwnPropertyDescriptor(owner, name)?.get
  return getter !== undefined && unread.has(getter)
}

/** Returns the members that need no creation: the object itself, if those are all. */
export function withoutUnread<T extends object>(owner: T): T {
  if (!inUse || !hasUnread(owner)) return owner
  const names = Object.keys(owner).filter((name) => !isUnread(owner, name))
  return Object.fromEntries(names.map((name) => [name, (owner as Fields)[name]])) as T
}

export function hasUnread(owner: object): boolean {
  return inUse && Object.keys(owner).some((name) => isUnread(owner, name))
}
