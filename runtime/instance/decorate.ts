import { contextOf, type Context } from '../context/index.ts'
import { errorCodes } from '../errors/index.ts'
import type { Instance, ReplyClass, RequestClass } from '../serve/model.ts'
import { kDecorated, kInitialValues } from '../serve/symbols.ts'
import { hasMember } from '../serve/fastify-5/added-members.ts'

type Name = string | symbol
type Dependencies = readonly Name[] | null | undefined
type Constructible = RequestClass | ReplyClass

/** Methods about decorators. */
export const decoratorMethods: Record<string, unknown> = {
  /** @throws FST_ERR_DEC_* */
  decorate<This extends Instance>(
    this: This,
    name: Name,
    value?: unknown,
    dependencies?: Dependencies,
  ): This {
    assertCanDecorate(this, name)
    assertNew(Object.hasOwn(this, name), name)
    checkDependencies(dependencies, name, (one) => hasMember(this, one))
    if (isAccessor(value)) defineAccessor(this, name, value)
    else (this as Record<Name, unknown>)[name] = value
    return this
  },

  decorateRequest: decorating(({ Request }) => Request),
  decorateReply: decorating(({ Reply }) => Reply),

  hasDecorator(this: Instance, name: Name): boolean {
    return hasMember(this, name)
  },

  hasRequestDecorator(this: Instance, name: Name): boolean {
    return hasMemberOrField(this, contextOf(this).Request, name)
  },

  hasReplyDecorator(this: Instance, name: Name): boolean {
    return hasMemberOrField(this, contextOf(this).Reply, name)
  },
}

/** Creates a method that decorates a class of the context. @throws FST_ERR_DEC_* */
function decorating(classOf: (context: Context) => Constructible) {
  return function <This extends Instance>(
    this: This,
    name: Name,
    value?: unknown,
    dependencies?: Dependencies,
  ): This {
    const target = classOf(contextOf(this))
    assertCanDecorate(this, name)
    if (typeof value === 'object' && value !== null && !isAccessor(value)) {
      contextOf(this).app.line.onSharedObject(name, value)
    }
    const isField = fieldsOf(this, target).has(name)
    assertNew(
      isField || Object.hasOwn(target.prototype, name) || isInitialValue(target, name),
      name,
    )
    target[kDecorated] = true
    checkDependencies(dependencies, name, (one) => hasMemberOrField(this, target, one))
    if (isAccessor(value)) {
      defineAccessor(target.prototype, name, value)
    } else if (typeof value === 'function') {
      ;(target.prototype as unknown as Record<Name, unknown>)[name] = value
    } else {
      target[kInitialValues].push({ key: name, value })
    }
    return this
  }
}

function hasMemberOrField(instance: Instance, target: Constructible, name: Name): boolean {
  if (fieldsOf(instance, target).has(name)) return true
  return isInitialValue(target, name) || hasMember(target.prototype, name)
}

/** Returns the fields of new objects that can't be decorated: those of Fastify 5. Fastify 4 lets decorators replace fields. */
function fieldsOf(instance: Instance, target: Constructible): ReadonlySet<PropertyKey> {
  const { app, Request } = contextOf(instance)
  return app.line.fields[target === Request ? 'request' : 'reply']
}

function isInitialValue(target: Constructible, name: Name): boolean {
  return target[kInitialValues].some(({ key }) => key === name)
}

interface Accessor {
  getter?: () => unknown
  setter?: (value: unknown) => void
}

function isAccessor(value: unknown): value is Accessor {
  const accessor = value as Accessor | null | undefined
  return (
    !!accessor && (typeof accessor.getter === 'function' || typeof accessor.setter === 'function')
  )
}

function defineAccessor(target: object, name: Name, { getter, setter }: Accessor): void {
  Object.defineProperty(target, name, { get: getter, set: setter } as PropertyDescriptor)
}

function checkDependencies(
  dependencies: Dependencies,
  name: Name,
  has: (dependency: Name) => boolean,
): void {
  if (dependencies === undefined || dependencies === null) return
  if (!Array.isArray(dependencies)) {
    throw new errorCodes.FST_ERR_DEC_DEPENDENCY_INVALID_TYPE(name)
  }
  const missing = (dependencies as readonly Name[]).find((dependency) => !has(dependency))
  if (missing !== undefined) throw new errorCodes.FST_ERR_DEC_MISSING_DEPENDENCY(missing)
}

function assertNew(isPresent: boolean, name: Name): void {
  if (isPresent) throw new errorCodes.FST_ERR_DEC_ALREADY_PRESENT(name)
}

function assertCanDecorate(instance: Instance, name: Name): void {
  if (contextOf(instance).app.state.started) throw new errorCodes.FST_ERR_DEC_AFTER_START(name)
}
