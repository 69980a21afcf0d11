/**
 * Interfaces of the other folders of the scan that the interpreter calls: it can read a module or register a plugin
 * without importing their code.
 */
import type { LineName } from '../../../runtime/artifact/lines.ts'
import type { Node, ts } from '../../util/source/project.ts'
import type { Deferred, DeferredSource, InstanceValue, Job, Unknown, Value } from './index.ts'
import type { Binding, Scope } from './scope.ts'

export interface ExportedName {
  readonly file: string
  readonly name: string
}

/** `modules/`: the files of the application, and what they export. */
export interface ModuleGraph {
  readonly globals: Scope
  global(name: string): Value
  hasLegacyDecorators(file: string): boolean
  /** Returns the file that a specifier resolves to; `undefined` for packages outside of the application. */
  resolve(specifier: string, importer: string, isRequired?: boolean): string | undefined
  /** Returns whether the package of an import lists another one as a dependency. */
  dependsOn(
    source: { readonly specifier: string; readonly importer: string },
    name: string,
  ): boolean
  contentOf(file: string, at: Node): Value | undefined
  /** Returns the names of exported functions, such as `/app/auth.js` and `authenticate`, those of their own file first. */
  exportsByFunction(): ReadonlyMap<Value, readonly ExportedName[]>
  createRequire(file: string): Value
  importMeta(file: string, at: Node): Value
  importDynamically(specifier: Value, importer: string, at: Node): Value
  importEquals(node: ts.ImportEqualsDeclaration, scope: Scope): void
  exportAssignment(file: string, value: Value, isEquals: boolean): void
}

/** `instance/`: the instances of the framework, and the plugins that they load. */
export interface BootQueue {
  readonly roots: InstanceValue[]
  createRoot(options: Value, at: Node, line?: LineName): InstanceValue
  member(owner: InstanceValue, key: string | symbol, at: Node): Value
  register(caller: InstanceValue, plugin: Value, given: Value, at: Node): void
  after(caller: InstanceValue, callback: Value, at: Node): void
  afterwards(caller: InstanceValue, run: () => void): void
  /** Loads what was registered so far: an instance is awaited. */
  settle(instance: InstanceValue): Value
  finish(): void
}

/** `builtins/jobs.ts`: what runs later. */
export interface JobQueue {
  create(run: () => void): Job
  /** Adds a microtask. */
  add(job: Job): void
  addTick(job: Job): void
  addTimer(job: Job, delay: number): Binding
  runUntil(isDone: () => boolean): void
  drain(): void
}

/** `sandbox/`: values that only the sandbox can compute. */
export interface DeferredValues {
  import(source: Omit<Extract<DeferredSource, { op: 'import' }>, 'op'>, at: Node): Deferred
  code(code: string, operands: readonly Value[], at: Node): Deferred
  regularExpression(text: string, at: Node): Deferred
  awaited(promise: Deferred, at: Node): Deferred
  member(owner: Deferred, key: string | symbol, at: Node): Deferred
  call(callee: Deferred, args: readonly Value[], at: Node): Deferred
  callMethod(owner: Deferred, key: Value, args: readonly Value[], at: Node): Deferred
  construct(callee: Deferred, args: readonly Value[], at: Node): Deferred
  /** Runs code that changes its first operand. */
  effect(code: string, operands: readonly Value[], at: Node): void
  isArray(value: Deferred): boolean
  items(value: Deferred, at: Node): Value[] | Unknown
  entries(value: Deferred, at: Node): [string, Value][] | Unknown
  /** Marks a copy as changed by the same packages as its original. */
  copyExternalMutations(original: Value, copy: Value): void
}
