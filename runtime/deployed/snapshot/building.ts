/** What an application does while the process is built that a snapshot is taken of. */
import { limitStack } from '../../errors/stack-limit.ts'

/** What no snapshot can hold, or must not. */
export type FaultKind =
  | 'connection'
  | 'environment'
  | 'file'
  | 'key'
  | 'native'
  | 'process'
  | 'random'
  | 'time'
  | 'timer'

export interface Fault {
  readonly kind: FaultKind
  /** What was called or read: `crypto.randomUUID()`. */
  readonly what: string
  /** The stack of that moment. */
  readonly stack: string
}

/** What the rest of this room knows of the process. */
export const building: {
  /** Until the snapshot is taken. */
  isOn: boolean
  readonly faults: Fault[]
  /** What is done when the snapshot is taken, so that nothing of this is in the way afterwards. */
  readonly undo: (() => void)[]
  /** Writes down what is known by then, for whoever takes the snapshot. */
  tell: () => void
} = { isOn: false, faults: [], undo: [], tell: () => undefined }

export function fault(kind: FaultKind, what: string): void {
  const { stackTraceLimit } = Error
  const isLimited = limitStack(50)
  const stack = String(new Error(what).stack)
  if (isLimited) limitStack(stackTraceLimit)
  building.faults.push({ kind, what, stack })
}

export type AnyFunction = (...args: unknown[]) => unknown

/** Puts something else in the place of a property, until the snapshot is taken. */
export function replace(object: object, name: string, descriptor: PropertyDescriptor): void {
  const before = Object.getOwnPropertyDescriptor(object, name) as PropertyDescriptor
  Object.defineProperty(object, name, { ...descriptor, configurable: true })
  building.undo.push(() => Object.defineProperty(object, name, before))
}

/**
 * Has a function tell when it is called or constructed. Whoever keeps it calls the real one for good.
 *
 * @param onCall may give other arguments
 */
export function watch(
  object: object,
  name: string,
  onCall: (args: unknown[]) => unknown[] | void,
): void {
  const original = Object.getOwnPropertyDescriptor(object, name)?.value as unknown
  if (typeof original !== 'function') return
  const seen = (args: unknown[]): unknown[] => (building.isOn && onCall(args)) || args
  replace(object, name, {
    value: new Proxy(original, {
      apply: (target, self, args) => Reflect.apply(target as AnyFunction, self, seen(args)),
      construct: (target, args, newTarget) =>
        Reflect.construct(target as AnyFunction, seen(args), newTarget) as object,
    }),
    writable: true,
    enumerable: Object.prototype.propertyIsEnumerable.call(object, name),
  })
}

/**
 * Looks at what a property gives when the application first reads it. Node loads what it has such properties for when they are
 * read: a snapshot would hold modules that nothing asks for.
 */
export function whenRead<T>(object: object, name: string, look: (value: T) => void): void {
  const { get, set, enumerable } = Object.getOwnPropertyDescriptor(object, name) as {
    get(): T
    set?(value: T): void
    enumerable: boolean
  }
  let isSeen = false
  replace(object, name, {
    get(this: unknown) {
      const value = get.call(this as object)
      if (building.isOn && !isSeen) {
        isSeen = true
        look(value)
      }
      return value
    },
    ...(set && { set }),
    enumerable,
  })
}
