/** Modules of Node that no snapshot holds once they are loaded: they are loaded after the start. */
import type { AnyFunction } from './building.ts'
import { building, fault, replace } from './building.ts'

/** What a module exports, as the same Node has told before. */
export type Shape = Readonly<Record<string, ExportShape>>
export type ExportShape =
  | { readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'function' }
  /** Is not looked at before the start. */
  | { readonly kind: 'other' }

/** Classes whose prototypes something in the application inherits from. */
const inherited = new Set<() => void>()

/**
 * Has `process.getBuiltinModule` give what stands for these modules.
 *
 * @param onLoad is told of each other one that is asked for, once
 */
export function deferModules(
  shapes: Readonly<Record<string, Shape>>,
  onLoad: (name: string, module: unknown) => void,
): void {
  const original = process.getBuiltinModule as (name: string) => unknown
  const stubs = new Map<string, object>()
  const loaded = new Set<string>()
  const get = (given: string): unknown => {
    const name = given.replace(/^node:/, '')
    if (!building.isOn) return original(given)
    const shape = shapes[name]
    if (shape === undefined) {
      const module = original(given)
      if (module !== undefined && !loaded.has(name)) {
        loaded.add(name)
        onLoad(name, module)
      }
      return module
    }
    let stub = stubs.get(name)
    if (stub === undefined) stubs.set(name, (stub = stubOf(name, shape, () => original(name))))
    return stub
  }
  replace(process, 'getBuiltinModule', { value: get, writable: true, enumerable: true })
}

/** Gives the subclasses of classes that were not there what they inherit. */
export function inherit(): void {
  for (const connect of inherited) connect()
  inherited.clear()
}

function stubOf(name: string, shape: Shape, load: () => unknown): object {
  const stub: object = {}
  const real = (key: string): unknown => (load() as Record<string, unknown>)[key]
  for (const [key, one] of Object.entries(shape)) {
    const what = `${name}.${key}`
    const descriptor: PropertyDescriptor =
      one.kind === 'other'
        ? { get: () => (building.isOn ? tooEarly(what) : real(key)) }
        : {
            value: one.kind === 'data' ? one.value : deferredFunction(what, () => real(key)),
            writable: true,
          }
    Object.defineProperty(stub, key, { ...descriptor, enumerable: true, configurable: true })
  }
  return stub
}

/** A function or a class that calls the real one, which classes may extend before it is there. */
function deferredFunction(what: string, get: () => unknown): unknown {
  function deferred(): void {}
  const real = (): AnyFunction => (building.isOn ? tooEarly(what) : (get() as AnyFunction))
  const proxy: object = new Proxy(deferred, {
    apply: (_, self, args) => Reflect.apply(real(), self, args),
    construct: (_, args, newTarget) =>
      Reflect.construct(real(), args, newTarget === proxy ? real() : newTarget) as object,
    get(target, key) {
      if (key === Symbol.hasInstance) {
        return (value: unknown) => !building.isOn && value instanceof real()
      }
      if (key === 'prototype') {
        inherited.add(() => {
          Object.setPrototypeOf(
            deferred.prototype as object,
            (get() as AnyFunction).prototype as object,
          )
        })
        return deferred.prototype as unknown
      }
      const own = building.isOn ? target : (get() as object)
      return Reflect.get(own, key) as unknown
    },
  })
  return proxy
}

function tooEarly(what: string): never {
  fault('connection', what)
  // The process may end by it.
  building.tell()
  throw new Error(`${what} is not there before the snapshot is started`)
}
