/**
 * Members that Fastify 5 added to requests, replies and instances, for applications on the 4.21 line. They are on a prototype of
 * their own, further up the chain than the members of 4.21. So an application may decorate by these names or assign to them, and
 * `hasDecorator` returns false until then.
 */
import { fastify5ErrorCodes } from '../../errors/index.ts'

const addedPrototypes = new WeakSet<object>()

/** Creates a prototype of added members: a copy whose accessors can be assigned to. */
export function createAddedMembers(members: object): object {
  const added = Object.create(Object.getPrototypeOf(members) as object) as object
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
    if (descriptor.get !== undefined) {
      descriptor.set = function (this: object, value: unknown) {
        const property = { value, writable: true, enumerable: true, configurable: true }
        Object.defineProperty(this, name, property)
      }
    }
    Object.defineProperty(added, name, descriptor)
  }
  addedPrototypes.add(added)
  return added
}

/** Like `name in object`, but ignores prototypes of added members. */
export function hasMember(object: object, name: PropertyKey): boolean {
  let one: object | null = object
  while (one !== null) {
    if (Object.hasOwn(one, name) && !addedPrototypes.has(one)) return true
    one = Object.getPrototypeOf(one) as object | null
  }
  return false
}

/** Returns a decorator. A function is bound to the object. @throws FST_ERR_DEC_UNDECLARED */
export function decoratorOf(object: object, name: PropertyKey, kind: string): unknown {
  assertDecorated(object, name, kind)
  const value: unknown = Reflect.get(object, name)
  return typeof value === 'function' ? value.bind(object) : value
}

/** @throws FST_ERR_DEC_UNDECLARED */
export function assertDecorated(object: object, name: PropertyKey, kind: string): void {
  if (!(name in object)) throw new fastify5ErrorCodes.FST_ERR_DEC_UNDECLARED(name, kind)
}
