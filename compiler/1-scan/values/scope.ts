/** Variables and the state of function calls. */
import type { Node } from '../../util/source/project.ts'
import { nextNumber, type ArrayValue, type Value } from './index.ts'

/** A variable. `value` is `undefined` before its declaration has run. */
export interface Binding {
  /** Variables of the application are numbered in the order in which they are created, together with objects. */
  readonly number?: number
  value: Value | undefined
  /** Reads a live binding: an import, or a global that is created when it's read. */
  readonly read?: () => Value | undefined
}

export function readBinding(binding: Binding | undefined): Value | undefined {
  return binding?.read === undefined ? binding?.value : binding.read()
}

/** The state of a function call, apart from its variables. */
export interface Frame {
  readonly thisValue?: Value | undefined
  /** The class that `super` belongs to. */
  readonly home?: Extract<Value, { kind: 'class' }> | undefined
  readonly isStatic?: boolean | undefined
  readonly newTarget?: Value | undefined
  /** The values that a generator has yielded so far. */
  readonly yields?: ArrayValue | undefined
  readonly waitsAfterYield?: boolean
  /**
   * Set in async functions: the number of branches under which statements can wait. Under further conditions they wait in place, so that
   * the branches are joined after them.
   */
  waitsUnder?: number | undefined
  /** Values of expressions that were evaluated before the rest of their statement. */
  early?: ReadonlyMap<Node, Value> | undefined
}

export class Scope {
  readonly parent: Scope | undefined
  readonly frame: Frame
  readonly file: string
  readonly #bindings = new Map<string, Binding>()

  constructor(parent: Scope | undefined, file: string, frame: Frame) {
    this.parent = parent
    this.file = file
    this.frame = frame
  }

  child(): Scope {
    return new Scope(this, this.file, this.frame)
  }

  declare(name: string, value: Value | undefined): Binding {
    const existing = this.#bindings.get(name)
    if (existing !== undefined) {
      if (value !== undefined) existing.value = value
      return existing
    }
    const binding: Binding = { number: nextNumber(), value }
    this.#bindings.set(name, binding)
    return binding
  }

  declareLive(name: string, read: () => Value | undefined): void {
    this.#bindings.set(name, { number: nextNumber(), value: undefined, read })
  }

  own(name: string): Binding | undefined {
    return this.#bindings.get(name)
  }

  find(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.parent?.find(name)
  }

  /** Like `find`, but without the globals of the outermost scope. */
  findLocal(name: string): Binding | undefined {
    if (this.parent === undefined) return undefined
    return this.#bindings.get(name) ?? this.parent.findLocal(name)
  }
}
