import { fastify5ErrorCodes } from '../../errors/index.ts'

/**
 * Names that later releases of Fastify added to requests, replies and instances. They lie in a layer below those of 4.21: an
 * application for 4.21 that decorates by such a name, or sets it, gets its own, and is told that nothing of that name was there.
 */
const layers = new WeakSet<object>()

/** Makes the members a layer. What they give is replaced by what is assigned. */
export function createAddedMembers<Members extends object>(members: Members): Members {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
    if (descriptor.get === undefined) continue
    Object.defineProperty(members, name, {
      ...descriptor,
      set(this: object, value: unknown) {
        const own = { value, writable: true, enumerable: true, configurable: true }
        Object.defineProperty(this, name, own)
      },
    })
  }
  layers.add(members)
  return members
}

/** Whether an object has a member that no layer gives it. */
export function hasFastify4Member(object: object, name: PropertyKey): boolean {
  let one: object | null = object
  while (one !== null) {
    if (Object.hasOwn(one, name) && !layers.has(one)) return true
    one = Object.getPrototypeOf(one) as object | null
  }
  return false
}

/** What an object was decorated with; a function with the object as its `this`. @throws FST_ERR_DEC_UNDECLARED */
export function decoratorOf(object: object, name: PropertyKey, kind: string): unknown {
  assertDecorated(object, name, kind)
  const value: unknown = Reflect.get(object, name)
  return typeof value === 'function' ? value.bind(object) : value
}

/** @throws FST_ERR_DEC_UNDECLARED */
export function assertDecorated(object: object, name: PropertyKey, kind: string): void {
  if (!(name in object)) throw new fastify5ErrorCodes.FST_ERR_DEC_UNDECLARED(name, kind)
}
