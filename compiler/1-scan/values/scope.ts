import type { ArrayValue, Value } from './index.ts'

/** One variable. `value` is `undefined` before its declaration has run. */
export interface Binding {
  value: Value | undefined
  /** For live bindings (imports): asked instead of `value`. */
  readonly read?: () => Value | undefined
  /** Declares it ahead of its turn. */
  early?: (() => Value) | undefined
}

/** What a function call knows beside its variables. */
export interface Frame {
  readonly thisValue: Value | undefined
  /** What `super` refers to. */
  readonly home: Extract<Value, { kind: 'class' }> | undefined
  readonly isStatic: boolean
  readonly newTarget: Value | undefined
  /** What a generator has yielded so far. */
  readonly yields: ArrayValue | undefined
}

/** The variables of a block, a function or a module, and the way to those around it. */
export class Scope {
  readonly parent: Scope | undefined
  readonly frame: Frame
  /** The file that the code stands in. */
  readonly file: string
  readonly #bindings = new Map<string, Binding>()

  constructor(parent: Scope | undefined, file: string, frame: Frame) {
    this.parent = parent
    this.file = file
    this.frame = frame
  }

  /** A block inside this scope. */
  child(): Scope {
    return new Scope(this, this.file, this.frame)
  }

  /** The same variables, seen by code whose `this` is another object. */
  withThis(thisValue: Value): Scope {
    return new Scope(this, this.file, { ...this.frame, thisValue })
  }

  declare(name: string, value: Value | undefined): Binding {
    const existing = this.#bindings.get(name)
    if (existing !== undefined) {
      if (value !== undefined) existing.value = value
      return existing
    }
    const binding: Binding = { value }
    this.#bindings.set(name, binding)
    return binding
  }

  declareLive(name: string, read: () => Value | undefined): void {
    this.#bindings.set(name, { value: undefined, read })
  }

  own(name: string): Binding | undefined {
    return this.#bindings.get(name)
  }

  find(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.parent?.find(name)
  }

  /** Like `find`, without the globals, which stand in the outermost scope. */
  findLocal(name: string): Binding | undefined {
    if (this.parent === undefined) return undefined
    return this.#bindings.get(name) ?? this.parent.findLocal(name)
  }
}
