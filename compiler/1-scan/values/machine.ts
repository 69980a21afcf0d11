import type { TargetProfile } from '../../target-profiles/index.ts'
import type { DiagnosticCode } from '../../report/errors.ts'
import type { SourceLocation } from '../../model/index.ts'
import type { Journal } from './journal.ts'
import type { Node, Project, ts } from '../project.ts'
import type { Scope } from './scope.ts'
import type { BootQueue, LazyLiterals, ModuleGraph, DeferredValues } from './interfaces.ts'
import type { ChoiceKey, ClassValue, Deferred, FunctionValue, Unknown, Value } from './index.ts'
import type { Thrown } from './thrown.ts'

/**
 * The interpreter's parts, as they know each other. Each part is a module of functions that take
 * the machine as their first argument; only `createMachine` knows them all.
 */
export interface Machine {
  /** What the server of the application supports. */
  readonly target: TargetProfile
  readonly project: Project
  /** Stands for the place of values that are nowhere in the source. */
  readonly entryFile: Node
  readonly journal: Journal
  readonly modules: ModuleGraph
  readonly boot: BootQueue
  readonly budget: Budget
  readonly literals: LazyLiterals
  readonly deferrals: DeferredValues
  readonly outside: Outside
  /** Branches of the conditions that are being followed: things under different branches exclude each other. */
  readonly branches: Branch[]
  /** What may have been thrown on the way, as far as no `catch` has been followed for it. */
  readonly thrown: Thrown[]
  /** How many `try` blocks with a `catch` are being followed: in all, and of the function that is followed. */
  readonly tries: { all: number; own: number }
  /** Where something was declared on an instance, in the order in which the scan came by. */
  readonly declarations: Node[]
  /** Where an instance was told to listen. */
  readonly listens: Node[]

  evaluate(node: ts.Expression, scope: Scope): Value
  /** Runs the statements of a body; the value is what it returns. */
  execute(statements: readonly ts.Statement[], scope: Scope): Completion
  executeOne(statement: ts.Statement, scope: Scope): Completion
  call(callee: Value, thisValue: Value, args: Value[], at: Node): Value
  construct(callee: Value, args: Value[], at: Node): Value
  /** `receiver` is `this` of getters, where it is not the object itself: for `super.name`. */
  get(object: Value, key: Value, at: Node, receiver?: Value): Value
  set(object: Value, key: Value, value: Value, at: Node): void
  has(object: Value, key: string): boolean
  remove(object: Value, key: Value, at: Node): void
  /** The result of a deferred value when it is a primitive; any other value as it is. */
  known(value: Value): Value
  typeOf(value: Value): string | undefined
  /** Text with values in between: `texts` has one part more than `values`. */
  concat(texts: readonly string[], values: readonly Value[], at: Node): Value
  /** What iterating gives, or why that is not known. */
  iterate(value: Value, at: Node): Value[] | Extract<Value, { kind: 'unknown' }>
  /** The names that `for (… in value)` visits, or why they are not known. */
  keys(value: Value, at: Node): Value[] | Extract<Value, { kind: 'unknown' }>
  bind(pattern: ts.BindingName, value: Value, scope: Scope, mode: BindMode): void
  closure(node: ts.FunctionLikeDeclaration, scope: Scope, home?: Home): FunctionValue
  defineClass(node: ts.ClassLikeDeclaration, scope: Scope): ClassValue
  /** Follows every branch from the same state and joins the results. */
  fork(branches: readonly (() => Value)[], at: Node, key?: ChoiceKey): Value
  report(code: DiagnosticCode, at: SourceLocation, ...args: string[]): void
  /**
   * Reports what a call needs and is not known: where that value comes from, and where it would come from a module that is not there,
   * that module, at its import; nothing when the report tells of it already.
   */
  reportUnknown(code: DiagnosticCode, call: Node, value: Value, ...args: string[]): void
  /** The same, for what does not fail the build. */
  warn(code: DiagnosticCode, at: SourceLocation, ...args: string[]): void
}

/** Calls of what is not in the source. */
export interface Outside {
  call(callee: Deferred, args: Value[], at: Node): Value
  callMethod(owner: Deferred, key: Value, args: Value[], at: Node): Value
  construct(callee: Deferred, args: Value[], at: Node): Value
  callUnknown(callee: Unknown, args: Value[], at: Node): Value
}

/** Keeps a scan finite. */
export interface Budget {
  /** Counts one evaluated expression; throws `OutOfBudget` when there were too many. */
  spend(at: Node): void
  /** What was evaluated last. */
  readonly last: Node
  /** The functions on the interpreted stack, each with the number of conditions that it was called under. */
  readonly calls: { readonly node: Node; readonly branches: number }[]
  /** How many expressions, statements and conditions are being followed, one inside the other. */
  nesting: number
}

/** `declare` makes variables, `assign` writes to those that are there. */
export type BindMode = 'declare' | 'assign'

export interface Home {
  readonly home: ClassValue
  readonly isStatic: boolean
}

export interface Branch {
  readonly condition: ChoiceKey
  readonly index: number
}

export type Completion =
  | { readonly type: 'normal' }
  | { readonly type: 'break' | 'continue'; readonly label: string | undefined }
  | { readonly type: 'return'; readonly value: Value }
  /** Inside of a `try` alone: elsewhere an exception carries what is thrown. */
  | { readonly type: 'throw'; readonly error: Thrown }
  /** One for each outcome of a condition that only the running application knows. */
  | { readonly type: 'mixed'; readonly options: readonly Completion[]; readonly key: ChoiceKey }

export const normal: Completion = { type: 'normal' }
