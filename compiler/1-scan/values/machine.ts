/** The interface between the parts of the interpreter. */
import type { TargetProfile } from '../../servers/index.ts'
import type { DiagnosticCode } from '../../report/errors.ts'
import type { SourceLocation } from '../../model/index.ts'
import type { Generators } from './generators.ts'
import type { Journal } from './journal.ts'
import type { Node, Project, ts } from '../../util/source/project.ts'
import type { Scope } from './scope.ts'
import type { BootQueue, DeferredValues, JobQueue, ModuleGraph } from './interfaces.ts'
import type {
  ChoiceKey,
  Deferred,
  FunctionValue,
  PromiseObject,
  PromiseState,
  Unknown,
  Value,
} from './index.ts'
import type { Thrown } from './thrown.ts'

/**
 * The parts of the interpreter. Each part is a module of functions that take the machine as their
 * first argument; only `createMachine` imports them all.
 */
export interface Machine {
  /** The server that the artifact is for. */
  readonly target: TargetProfile
  readonly project: Project
  /** The entry file: the place of values that don't come from the source. */
  readonly entryFile: Node
  readonly journal: Journal
  readonly generators: Generators
  readonly modules: ModuleGraph
  readonly boot: BootQueue
  readonly jobs: JobQueue
  readonly budget: Budget
  readonly deferrals: DeferredValues
  readonly external: ExternalCalls
  /** Set while code is followed that may run now, later, never or several times. */
  loose: Unknown | undefined
  /** The branches that are being followed. Different branches of one condition exclude each other. */
  readonly branches: Branch[]
  /** Exceptions that may have been thrown, for which no `catch` has been followed yet. */
  readonly thrown: Thrown[]
  /** Promises that are rejected, whatever the conditions are. */
  readonly rejections: PromiseState[]
  /**
   * Number of `try` blocks with a `catch` that are being followed: in all, and in the current function. `captures` counts code whose
   * exceptions reject a promise.
   */
  readonly tries: { all: number; inFunction: number; captures: number }
  /** Places where something was declared on an instance, in the order of the scan. */
  readonly declarations: Node[]
  /** The condition that the entry is the main module: what starts a program, not what a test or a server imports. */
  readonly mainModule: ChoiceKey
  /** Calls of `listen` that every program makes that loads the entry. */
  readonly listens: Node[]
  /** Calls of code outside of the source that get an instance, which they may start. */
  readonly handedOver: Node[]
  /** Names of functions that decorate an instance. */
  readonly decorators: Map<Value, string>
  /** Functions that `bind` returns, or that another function returns and contains, by the function that they come from. */
  readonly derived: Map<Value, { readonly from: FunctionValue; readonly isReturned: boolean }>

  evaluate(node: ts.Expression, scope: Scope): Value
  /** Runs the statements of a body. */
  execute(statements: readonly ts.Statement[], scope: Scope): Completion
  executeOne(statement: ts.Statement, scope: Scope): Completion
  call(callee: Value, thisValue: Value, args: Value[], at: Node): Value
  construct(callee: Value, args: Value[], at: Node): Value
  /** @param receiver `this` of getters if it isn't the object itself: for `super.name` */
  get(object: Value, key: Value, at: Node, receiver?: Value): Value
  set(object: Value, key: Value, value: Value, at: Node): void
  remove(object: Value, key: Value, at: Node): void
  /** Returns the result of a deferred value if it is a primitive or unknown, and other values as they are. */
  known(value: Value): Value
  typeOf(value: Value): string | undefined
  /** Concatenates texts with values in between: `texts` has one part more than `values`. */
  concat(texts: readonly string[], values: readonly Value[], at: Node): Value
  /** Returns the values that iterating gives, or why they aren't known. */
  iterate(value: Value, at: Node): Value[] | Extract<Value, { kind: 'unknown' }>
  closure(node: ts.FunctionLikeDeclaration, scope: Scope, home?: Home): FunctionValue
  /** Follows every branch from the same state and joins the results. */
  fork<T extends Result>(branches: readonly (() => T)[], at: Node, key?: ChoiceKey): T
  report(code: DiagnosticCode, at: SourceLocation, ...args: string[]): void
  /** Reports an exception that nothing catches, so that the application ends. */
  reportThrown(error: Thrown, source?: Node): void
  /**
   * Reports an unknown value that a call needs, at the place that it comes from. If that is a module that couldn't be found, its
   * import is reported. Values whose cause has been reported are skipped.
   */
  reportUnknown(code: DiagnosticCode, call: Node, value: Value, ...args: string[]): void
  /** Like `report`, for problems that don't fail the build. */
  warn(code: DiagnosticCode, at: SourceLocation, ...args: string[]): void
}

/** Calls of functions that aren't in the source. */
export interface ExternalCalls {
  call(callee: Deferred, args: Value[], at: Node): Value
  callMethod(owner: Deferred, key: Value, args: Value[], at: Node): Value
  construct(callee: Deferred, args: Value[], at: Node): Value
  callUnknown(callee: Unknown, args: Value[], at: Node): Value
}

/** Limits that end a scan of endless code. */
interface Budget {
  /** Counts an evaluated expression. Throws `OutOfBudget` when there are too many. */
  spend(at: Node): void
  /** The expression that was evaluated last. */
  readonly last: Node
  /** The interpreted call stack: the functions, where they are called, and the number of branches at each call. */
  readonly calls: {
    readonly node: Node
    readonly at: Node
    readonly branches: number
    repeats: number
  }[]
  /** The nesting depth of expressions, statements and branches. */
  nesting: number
}

/** The class that a method belongs to. */
export type Home = Partial<Pick<FunctionValue, 'home' | 'isStatic'>>

export interface Branch {
  readonly condition: ChoiceKey
  readonly index: number
}

export type Completion =
  | { readonly type: 'normal' }
  | { readonly type: 'break' | 'continue'; readonly label: string | undefined }
  | { readonly type: 'return'; readonly value: Value }
  /** The statement waits for a promise. `resume` runs its rest, and that of the function. */
  | {
      readonly type: 'suspend'
      readonly promise: PromiseObject
      readonly at: Node
      /** @param take returns the value of the promise, or throws */
      resume(take: () => Value): Completion
    }
  /** Used inside of `try` only. Elsewhere the exception `Thrown` is thrown. */
  | { readonly type: 'throw'; readonly error: Thrown }
  /** One completion for each outcome of a condition. */
  | { readonly type: 'mixed'; readonly options: readonly Completion[]; readonly key: ChoiceKey }

/** A result of a branch, which is joined with those of the others. */
export type Result = Value | Completion | void

export const normal: Completion = { type: 'normal' }
