/** Abstract values: everything that the interpreter knows about a value at run time. */
import type { ContextRecord } from './contexts.ts'
import type { Node, ts } from '../../util/source/project.ts'
import type { Branch, Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import type { Thrown } from './thrown.ts'

export { isCallable, isGiven, truthiness, typeOf } from './kinds.ts'

/**
 * An abstract value. Objects, arrays and functions have identity and can be changed, as in JavaScript.
 * `at` is the expression that created the value, for diagnostics.
 */
export type Value =
  | Primitive
  | ObjectValue
  | ArrayValue
  | FunctionValue
  | NativeValue
  | ClassValue
  | NamespaceValue
  | InstanceValue
  | Deferred
  | Unknown
  | Choice

/** A value with properties of its own. */
export type Owner = Extract<Value, { readonly members: unknown }>

export type Scalar = string | number | boolean | bigint | symbol | null | undefined

export interface Primitive {
  readonly kind: 'primitive'
  readonly value: Scalar
  readonly at: Node | undefined
}

/** The name of a property. */
export type Key = string | symbol

/** A property: a value, or an accessor. */
export interface Member {
  value: Value
  readonly getter?: Value | undefined
  readonly setter?: Value | undefined
  /** Set when the property isn't enumerable. */
  readonly hidden?: boolean | undefined
  readonly at: Node | undefined
}

interface WithMembers {
  /** Counts objects and arrays in the order of their creation. */
  readonly number?: number | undefined
  readonly members: Map<string | symbol, Member>
  readonly at: Node | undefined
}

export interface ObjectValue extends WithMembers {
  readonly kind: 'object'
  /** The part that isn't known, such as an unknown value that was spread into this object. `members` override its properties. */
  base: Value | undefined
  /** The prototype; `undefined` for a built-in one, as `prototypeOf` returns it. */
  proto: Value | undefined
  /** The class that the object is an instance of. */
  readonly class?: ClassValue | undefined
  /** Computes properties that aren't in `members`. */
  readonly computeMember?: ((name: string | symbol, at: Node) => Value) | undefined
  /** Set when the object is a `Map`, a `Set` or an iterator. */
  collection?: Collection | undefined
  readonly promise?: PromiseState | undefined
}

export interface PromiseState {
  /** An object as `Promise.allSettled` returns it, or `absent` until the promise is settled. It may depend on conditions. */
  readonly outcome: { value: Value | undefined }
  /** Jobs that run once it is settled. */
  readonly reactions: Job[]
  /** The exception that it is rejected with. */
  error?: Thrown
  /** An exception that it may be rejected with, although its outcome is another one. */
  possible?: Thrown | undefined
  /** Set if code that handles rejections gets the `possible` exception: of a missing module, and of a plugin that fails. */
  rejectsHandlers?: boolean
  isHandled: boolean
}

export type PromiseObject = ObjectValue & { readonly promise: PromiseState }

/** Something that runs later, under the conditions of the branches that asked for it. */
export interface Job {
  readonly branches: readonly Branch[]
  /** The calls that led to it: code that starts itself again and again ends as recursion does. */
  readonly calls: Machine['budget']['calls']
  /** Set if it was started by code that may run now, later, never or several times. */
  readonly loose?: Unknown | undefined
  run(): void
}

/** The entries of a `Map` or `Set`, or those that an iterator has visited. Sets have each value twice. */
export interface Collection {
  readonly kind: 'map' | 'set' | 'iterator'
  entries: [Value, Value][]
  /** Set when there may be other entries, with the reason. */
  uncertainty?: Unknown | undefined
  /** Set for iterators. */
  readonly iterated?: Iterated | undefined
  /** Set for generators, which end when a loop over them is left. */
  readonly closes?: boolean | undefined
}

export type CollectionObject = ObjectValue & { readonly collection: Collection }

/** The values that an iterator visits. It sees later changes. */
export interface Iterated {
  readonly of: ArrayValue | CollectionObject
  readonly by: 'keys' | 'values' | 'entries'
}

export interface ArrayValue extends WithMembers {
  readonly kind: 'array'
  /** An element is optional if it is a choice with the option `absent`. */
  elements: Value[]
  /** Set when there may be other elements, with the reason. */
  uncertainty: Unknown | undefined
}

export interface FunctionValue extends WithMembers {
  readonly kind: 'function'
  /** The prototype set by `Object.setPrototypeOf`. */
  proto?: Value | undefined
  readonly node: ts.FunctionLikeDeclaration
  readonly scope: Scope
  /** `this` of a bound function. */
  readonly boundThis: Value | undefined
  readonly boundArguments: readonly Value[]
  /** Where `super` looks methods up. */
  readonly home: ClassValue | undefined
  readonly isStatic: boolean
  name: string
}

/** A function implemented by the interpreter. */
export interface NativeValue extends WithMembers {
  readonly kind: 'native'
  readonly name: string
  readonly call: NativeCall
  readonly construct?: NativeCall
}

export type NativeCall = (call: { thisValue: Value; args: Value[]; at: Node }) => Value

export interface ClassValue extends WithMembers {
  readonly kind: 'class'
  readonly node: ts.ClassLikeDeclaration
  readonly scope: Scope
  readonly parent: Value | undefined
  readonly prototype: ObjectValue
  readonly decorations: Decorations
  name: string
}

/** Work that decorators have added to a class. */
export interface Decorations {
  readonly metadata: ObjectValue
  /** Functions called on each new object before its fields are set. */
  readonly ofObjects: Value[]
  /** Functions called on the class before its static fields are set. */
  readonly ofClass: Value[]
  /** Functions that change the initial value of a field, and functions called once it is set. */
  readonly fields: Map<
    ts.ClassElement,
    { readonly transforms: Value[]; readonly initializers: Value[] }
  >
}

/** The value of `import * as x`: a live view of a local module's exports. */
export interface NamespaceValue {
  readonly kind: 'namespace'
  readonly file: string
  read(name: string): Value | undefined
  names(): string[]
  readonly at: Node | undefined
}

/** A server instance, or a child of one. */
export interface InstanceValue extends WithMembers {
  readonly kind: 'instance'
  readonly context: ContextRecord
  readonly parent: InstanceValue | undefined
}

/** A call that may have changed an object or a package, after those before it. */
export interface Change {
  readonly by: Deferred
  readonly before: Change | undefined
  /** The latest of these calls that was made for its effect. Others were made for their result. */
  readonly effect: Change | undefined
}

/** State of an object or a package after some calls; `undefined` before the first one. */
export type Changes =
  | Change
  | Unknown
  | undefined
  /** One of several states, depending on a condition that only the running application knows. */
  | { readonly kind: 'states'; readonly key: ChoiceKey; readonly options: readonly Changes[] }

/** An object or a package that only the sandbox has. */
export interface Changeable {
  /** In the order of creation, together with objects and variables of the application. */
  readonly number: number
  changes: Changes
  /** Earlier states, with the number of the last value that was created in each. */
  readonly earlier: { readonly until: number; readonly changes: Changes }[]
}

/**
 * A value that only real code can compute: what an npm package returns, and all that is made of it.
 * It is a node of a program that the sandbox runs when a result is needed.
 */
export interface Deferred extends Changeable {
  readonly kind: 'deferred'
  readonly id: number
  readonly source: DeferredSource
  readonly at: Node
}

export type DeferredSource =
  | {
      readonly op: 'import'
      readonly specifier: string
      readonly importer: string
      /** The exported name, or `*` for the namespace. With `required`, the result of `require`. */
      readonly name: string
      readonly required: boolean
    }
  /** The value that a promise is fulfilled with. Other values stay as they are. */
  | { readonly op: 'await'; readonly operand: Deferred }
  /** `code` is a JavaScript function expression without free variables; `operands` are its arguments. */
  | { readonly op: 'code'; readonly code: string; readonly operands: readonly Value[] }

/** A value that exists only when the application runs. */
export interface Unknown {
  readonly kind: 'unknown'
  /** Completes a sentence: "…, but <why>". */
  readonly why: string
  readonly at: Node
  /** Set when the cause has been reported. */
  readonly reported?: boolean | undefined
  /** Set when the value is falsy: the left side of `&&` where that is the result. */
  readonly falsy?: boolean | undefined
  /**
   * Set for an argument of an exported factory, and `optional` for its properties: options of the
   * framework that depend on them count as missing.
   */
  readonly given?: 'whole' | 'optional' | undefined
  /** The module that couldn't be found, and its import. */
  readonly missing?: { readonly specifier: string; readonly at: Node } | undefined
  /** The environment variable that decides it. */
  readonly variable?: string | undefined
  /** Set for an argument that stands for this one and all after it: a list that isn't known is spread there. */
  readonly isSpread?: boolean | undefined
}

/** A condition. Choices with the same key depend on the same condition. */
export interface ChoiceKey {
  readonly count: number
}

/** One of several values, depending on a condition that only the running application knows. */
export interface Choice {
  readonly kind: 'choice'
  readonly key: ChoiceKey
  /** One option for each outcome. Options may be choices themselves. */
  readonly options: readonly Value[]
  /** Number of options, including nested ones. */
  readonly outcomes: number
  readonly at: Node | undefined
}

export const undefinedValue: Primitive = { kind: 'primitive', value: undefined, at: undefined }

/** The option of a `Choice` for a property or element that one branch doesn't add. */
export const absent: Primitive = { kind: 'primitive', value: undefined, at: undefined }

/** An empty slot of a list. It reads as `undefined`, and callbacks skip it. */
export const hole: Primitive = { kind: 'primitive', value: undefined, at: undefined }

/** Returns the value of an element that is read. */
export function present(element: Value | undefined): Value {
  return element === undefined || element === hole ? undefinedValue : element
}

export function primitive(value: Scalar, at: Node | undefined): Primitive {
  return { kind: 'primitive', value, at }
}

export function unknown(why: string, at: Node): Unknown {
  return { kind: 'unknown', why, at }
}

/** Returns the unknown value of an expression that uses an unknown value. */
export function unknownFrom(cause: Unknown, at: Node): Unknown {
  const given = cause.given === 'optional' ? cause.given : undefined
  return { ...cause, at, given, falsy: undefined }
}

let numberOfLatest = 0

/** Returns the number of the newest object, array or variable. */
export function latestNumber(): number {
  return numberOfLatest
}

export function nextNumber(): number {
  return ++numberOfLatest
}

export function object(at: Node | undefined, extra?: Partial<ObjectValue>): ObjectValue {
  const known = { number: ++numberOfLatest, members: new Map(), base: undefined, proto: undefined }
  return { kind: 'object', ...known, at, ...extra }
}

/** Copies the properties of an object, without its prototype. */
export function copyOf({ base, members }: ObjectValue, at: Node | undefined): ObjectValue {
  return object(at, { base, members: new Map(members) })
}

export function array(elements: Value[], at: Node | undefined): ArrayValue {
  const known = { number: ++numberOfLatest, members: new Map(), uncertainty: undefined }
  return { kind: 'array', ...known, elements, at }
}

/**
 * Returns the arguments of a call from an index on as a list, as `arguments` and rest parameters are. Whatever follows a spread list that
 * isn't known is uncertain.
 */
export function argumentList(args: readonly Value[], at: Node, from = 0): ArrayValue {
  const spread = args.findIndex((one) => one.kind === 'unknown' && one.isSpread === true)
  if (spread === -1) return array(args.slice(from), at)
  const uncertainty = { ...(args[spread] as Unknown), isSpread: undefined }
  return { ...array(args.slice(from, spread), at), uncertainty }
}

export function native(name: string, call: NativeCall, construct?: NativeCall): NativeValue {
  return {
    kind: 'native',
    name,
    call,
    members: new Map(),
    at: undefined,
    ...(construct && { construct }),
  }
}

/** Adds properties without recording the writes. Only for objects that no other code has seen yet. */
export function addMembers<T extends WithMembers>(
  owner: T,
  values: Readonly<Record<string, Value>>,
  at?: Node,
): T {
  for (const [name, value] of Object.entries(values)) owner.members.set(name, { value, at })
  return owner
}

export function objectOf(values: Readonly<Record<string, Value>>, at?: Node): ObjectValue {
  return addMembers(object(at), values, at)
}

/** Returns the values that a list, an object or a choice consists of. */
export function innerValues(value: Value): readonly Value[] {
  switch (value.kind) {
    case 'array':
      return value.elements
    case 'choice':
      return value.options
    case 'object': {
      const { base = [], members, collection } = value
      const own = [...members.values()].map((one) => one.value)
      return [base, own, collection?.iterated?.of ?? [], collection?.entries ?? []].flat(2)
    }
    default:
      return []
  }
}
