/**
 * Encodes values of the scan as definitions for the sandbox, see `protocol.ts`.
 *
 * A deferred call runs in the sandbox later than the scan has followed it, so its arguments are encoded as they were at the call. Side
 * effects run only for values that are needed: a function may mention a value without ever reading it.
 */
import type { SandboxMachine } from './deferrals.ts'
import { isInside } from '../../util/source/project.ts'
import { privateNameOf } from '../values/properties.ts'
import type { Properties } from '../values/journal.ts'
import { absent, innerValues, undefinedValue } from '../values/index.ts'
import type {
  ArrayValue,
  ClassValue,
  Collection,
  Deferred,
  FunctionValue,
  NativeValue,
  ObjectValue,
  Value,
} from '../values/index.ts'
import { annotations } from '../../../runtime/artifact/annotations.ts'
import { anyKnown } from '../values/annotations.ts'
import { methodCode } from '../../sandbox/protocol.ts'
import type { Definition, ObjectMember, Term } from '../../sandbox/protocol.ts'
import { canStandAlone, functionText } from '../../sandbox/function-text.ts'
import { now, SeenChanges, type Choices, type Moment, type Past } from './seen-changes.ts'
import {
  annotationMethods,
  changedLater,
  collectionCode,
  failureOf,
  madeTooLate,
  nativeFunction,
  never,
  ofEnvironment,
  undecided,
} from '../../sandbox/terms.ts'
import { readBinding } from '../values/scope.ts'

/** Definitions of some values and of everything that they refer to. */
export interface Encoded {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  /** The deferred calls that run for sure, with the side effects on what they use, in the order of the application. */
  readonly steps: readonly string[]
  /** The latest effect on each object and package, as of these steps. */
  readonly effects: Past['effects']
  /** True if a part can't be evaluated, because the sandbox has made a later call, or one of another branch. */
  readonly isLate: boolean
  /** Set to start another process. */
  readonly isFirst?: true
}

export class Encoder {
  readonly #machine: SandboxMachine
  readonly #suffix: string
  readonly #choose: Choices['choose'] | undefined
  readonly #definitions = new Map<string, Definition>()
  /** Numbers of the deferred values that are needed. */
  readonly #steps = new Set<number>()
  /** By the id of a definition that is made or being made: whether the value is needed. */
  readonly #begun = new Map<string, boolean>()
  readonly #changes: SeenChanges
  /** The effects that the call which is being encoded has to wait for. */
  #after = new Set<string>()
  /** The deferred call whose arguments are being encoded: objects are read as they were then. */
  #call: Moment = now

  readonly #past: Past | undefined

  constructor(machine: SandboxMachine, { name = '', choose }: Partial<Choices> = {}, past?: Past) {
    this.#past = past
    this.#machine = machine
    this.#suffix = name
    this.#choose = choose
    this.#changes = new SeenChanges(
      (call) => this.#made(call, true),
      (call) => this.#idOfCall(call),
      choose,
    )
  }

  encode(values: readonly Value[]): Encoded {
    const roots = values.map((value, index) => this.#root(value, `r${index}${this.#suffix}`))
    const late = this.#changes.late(this.#past)
    for (const id of late) this.#definitions.set(id, madeTooLate)
    const calls = [...this.#steps].sort((a, b) => a - b).map((id) => this.#idOfCall({ id }))
    const steps = calls.filter((id) => !late.has(id))
    const effects = this.#changes.effects()
    return { definitions: this.#definitions, roots, steps, effects, isLate: late.size > 0 }
  }

  #idOfCall({ id }: Pick<Deferred, 'id'>): string {
    return `d${id}${this.#suffix}`
  }

  #root(value: Value, id: string): Term {
    this.#after = new Set()
    const term = this.#term(value, true)
    if (this.#after.size === 0 || term.t === 'never') return term
    const after = [...this.#after]
    this.#definitions.set(id, { type: 'code', code: '(value) => value', operands: [term], after })
    return { t: 'ref', id }
  }

  /** @param needed whether the value is read for sure, not only if a function that mentions it runs */
  #term(value: Value, needed: boolean): Term {
    switch (value.kind) {
      case 'primitive':
        if (typeof value.value === 'symbol') {
          const key = Symbol.keyFor(value.value)
          return key === undefined ? never('it is a symbol') : { t: 'symbol', key }
        }
        return { t: 'value', value: value.value }
      case 'deferred':
        return this.#deferred(value, needed)
      case 'array':
        return this.#array(value, needed)
      case 'object':
        return this.#object(value, needed)
      case 'function':
        return value.boundThis === undefined ? this.#closure(value) : this.#bound(value)
      case 'class':
        return this.#closure(value)
      case 'namespace':
        return this.#define(value, needed, () => ({
          type: 'object',
          base: undefined,
          members: value.names().flatMap((name): ObjectMember[] => {
            const member = value.read(name)
            return member === undefined
              ? []
              : [[{ t: 'value', value: name }, this.#term(member, false)]]
          }),
        }))
      case 'unknown':
        return value.variable === undefined ? never(value.why) : ofEnvironment([value.variable])
      case 'choice':
        return this.#choose === undefined ? undecided : this.#term(this.#choose(value), needed)
      case 'native':
        return value.name.startsWith('bound ')
          ? never('it is a bound function of JavaScript itself')
          : this.#native(value)
      case 'instance':
        return never('it is the running server')
    }
  }

  #native({ name }: NativeValue): Term {
    const id = `n${name}`
    const definition = nativeFunction(name, this.#machine.entryFile.getSourceFile().fileName)
    if (definition === undefined)
      return never(`the build can't call \`${name}\` in code that it evaluates`)
    this.#definitions.set(id, definition)
    return { t: 'ref', id }
  }

  #deferred(value: Deferred, needed: boolean): Term {
    const term = this.#made(value, needed)
    if (!needed || term.t === 'never') return term
    const read = this.#machine.deferrals.effects.readBy(value)
    return this.#changes.before(value, read, this.#call, this.#after) ?? term
  }

  #made(value: Deferred, needed: boolean): Term {
    const { failures } = this.#machine.deferrals
    const known = this.#choose === undefined ? failures.get(value) : undefined
    if (known !== undefined) return known
    const id = this.#idOfCall(value)
    const isNew = this.#begin(id, needed)
    if (isNew) this.#defineDeferred(id, value, needed)
    const failure = failureOf(this.#definitions.get(id))
    if (failure !== undefined) {
      if (this.#choose === undefined) failures.set(value, failure)
      return failure
    }
    if (needed) this.#steps.add(value.id)
    return { t: 'ref', id }
  }

  #defineDeferred(id: string, call: Deferred, needed: boolean): void {
    const { source } = call
    const { modules, project } = this.#machine
    const definitions = this.#definitions
    if (source.op === 'import') {
      const file = modules.resolve(source.specifier, source.importer, source.required)
      project.files.addLoaded({ ...source, specifier: file ?? source.specifier })
      definitions.set(id, { type: 'import', ...source, file })
    } else if (source.op === 'await') {
      definitions.set(id, { type: 'await', operand: this.#deferred(source.operand, needed) })
    } else {
      // It comes before its operands, as in `#define`.
      definitions.set(id, { type: 'code', code: source.code, operands: [] })
      const outer = this.#after
      this.#after = new Set()
      const name = source.code === methodCode ? source.operands[1] : undefined
      const isAnnotating = name?.kind === 'primitive' && annotationMethods.has(String(name.value))
      const operands = this.#atCall(call, () =>
        source.operands.map((operand) =>
          isAnnotating && operand.kind === 'unknown'
            ? { t: 'annotation' as const, why: operand.why }
            : this.#term(operand, needed),
        ),
      )
      const after = this.#after.size === 0 ? undefined : [...this.#after]
      this.#after = outer
      definitions.set(id, { type: 'code', code: source.code, operands, after })
    }
  }

  #array(value: ArrayValue, needed: boolean): Term {
    const { history } = this.#machine.deferrals
    if (value.uncertainty !== undefined) return never(value.uncertainty.why)
    if (history.isChangedAfter(value, this.#call.id)) return never(changedLater)
    return this.#define(value, needed, () => ({
      type: 'array',
      items: history
        .read(value, this.#call.id, { items: value.elements })
        .items.filter((item) => this.#exists(item))
        .map((element) => this.#term(element, needed)),
    }))
  }

  #object(value: ObjectValue, needed: boolean): Term {
    const { history } = this.#machine.deferrals
    // `process.env`, or rarely another object whose members aren't listed.
    if (value.computeMember !== undefined) return ofEnvironment([])
    if (history.isChangedAfter(value.collection ?? value, this.#call.id)) return never(changedLater)
    if (value.class !== undefined)
      return never(`it depends on an object of the class \`${value.class.name}\``)
    if (value.collection !== undefined) return this.#collection(value, value.collection, needed)
    const { base, members: all } = history.read<Properties>(value, this.#call.id, value)
    const members = [...all].filter(
      ([name, member]) =>
        member.hidden !== true && privateNameOf(name) === undefined && this.#exists(member.value),
    )
    return this.#define(value, needed, () => ({
      type: 'object',
      base: base === undefined ? undefined : this.#term(base, needed),
      members: members.map(([name, { getter, value: member }]): ObjectMember => {
        // No package can name a symbol that isn't registered, so any symbol serves.
        const key: Term =
          typeof name === 'symbol'
            ? { t: 'symbol', key: Symbol.keyFor(name) ?? String(name.description) }
            : { t: 'value', value: name }
        // A package may call it when everything that it refers to exists, as for recursive schemas.
        return getter === undefined
          ? [key, this.#member(name, member, needed)]
          : [key, this.#term(getter, false), 'getter']
      }),
    }))
  }

  #collection(value: ObjectValue, collection: Collection, needed: boolean): Term {
    const { kind, iterated, uncertainty } = collection
    if (uncertainty !== undefined) return never(uncertainty.why)
    const { history } = this.#machine.deferrals
    const present = { items: collection.entries }
    const { items: entries } = history.read(collection, this.#call.id, present)
    if (iterated !== undefined && entries.length > 0) return never('it is an iterator in use')
    const operandOf = (entry: Collection['entries'][number]): Term => {
      const [key, item] = entry
      if (kind !== 'map') return this.#term(key, needed)
      return this.#define(entry, needed, () => ({
        type: 'array',
        items: [this.#term(key, needed), this.#term(item, needed)],
      }))
    }
    return this.#define(value, needed, () => ({
      type: 'code',
      code: collectionCode[kind],
      operands: iterated
        ? [this.#term(iterated.of, needed), { t: 'value', value: iterated.by }]
        : entries.map(operandOf),
    }))
  }

  /** Returns whether an element or member exists, which may depend on a choice. */
  #exists(value: Value): boolean {
    if (value === absent) return false
    return (
      value.kind !== 'choice' || this.#choose === undefined || this.#exists(this.#choose(value))
    )
  }

  /** Encodes a member. An annotation may have any of its possible values, because compiled functions don't depend on it. */
  #member(name: string | symbol, value: Value, needed: boolean): Term {
    if (typeof name !== 'string' || !annotations.has(name)) return this.#term(value, needed)
    const known = anyKnown(value)
    return known.kind === 'unknown'
      ? { t: 'annotation', why: known.why }
      : this.#term(known, needed)
  }

  #closure(value: FunctionValue | ClassValue): Term {
    const { node, scope } = value
    if (!canStandAlone(node))
      return never('a function of this form cannot be taken out of its place')
    return this.#define(value, false, () => {
      const isLegacy = this.#machine.modules.hasLegacyDecorators(scope.file)
      const { text, names } = functionText(node, isLegacy)
      // A function reads the current values of variables, whenever it is called.
      const free = this.#atCall(now, () =>
        [...names].flatMap((name): [string, Term][] => {
          const captured = readBinding(scope.findLocal(name))
          return captured === undefined ? [] : [[name, this.#term(captured, false)]]
        }),
      )
      const captures = Object.fromEntries(free)
      return { type: 'source', text, captures, members: this.#membersOf(value), file: scope.file }
    })
  }

  /** Encodes what `bind` returns. Its arguments are read when it is called: it may do without them. */
  #bound(value: FunctionValue): Term {
    const { boundThis = undefinedValue, boundArguments, scope } = value
    return this.#define(boundArguments, false, () => {
      const target = this.#closure(value)
      const bound = this.#atCall(now, () =>
        [boundThis, ...boundArguments].map((one, i) => [`bound${i}`, this.#term(one, false)]),
      )
      const text = `(...rest) => target.call(${bound.map(([name]) => name).join(', ')}, ...rest)`
      const captures = { target, ...(Object.fromEntries(bound) as Record<string, Term>) }
      return { type: 'source', text, captures, members: [], file: scope.file }
    })
  }

  /** Encodes members that aren't in the text of the function or class. */
  #membersOf({ node, members }: FunctionValue | ClassValue): [Term, Term][] {
    return [...members].flatMap(([name, { value: member, hidden, getter, at }]) => {
      const isWritten = at !== undefined && isInside(at, node)
      const isPlain =
        typeof name === 'string' &&
        name !== 'prototype' &&
        !hidden &&
        !isWritten &&
        getter === undefined
      return isPlain && this.#exists(member)
        ? [[{ t: 'value', value: name }, this.#term(member, false)]]
        : []
    })
  }

  #atCall<T>(call: Moment, run: () => T): T {
    const outer = this.#call
    this.#call = call
    try {
      return run()
    } finally {
      this.#call = outer
    }
  }

  /** Returns whether the object, or one inside it, was in another state at the call whose arguments are encoded. */
  #hadOtherState(value: Value, seen = new Set<Value>()): boolean {
    if (seen.has(value)) return false
    seen.add(value)
    const key = value.kind === 'object' ? (value.collection ?? value) : value
    return (
      this.#machine.deferrals.history.wasDifferent(key, this.#call.id) ||
      innerValues(value).some((one) => this.#hadOtherState(one, seen))
    )
  }

  /** An object in an earlier state is another value in the sandbox, so the number of the call becomes a part of its id. */
  #idOf(value: object): string {
    const id = this.#machine.deferrals.nameOf(value) + this.#suffix
    const differs =
      this.#machine.deferrals.history.hasWritesAfter(this.#call.id) &&
      this.#hadOtherState(value as Value)
    return differs ? `${id}t${this.#call.id}` : id
  }

  #define(value: object, needed: boolean, make: () => Definition): Term {
    const id = this.#idOf(value)
    if (this.#begin(id, needed)) {
      // It comes before its parts, as in the source: modules list definitions in this order.
      if (!this.#definitions.has(id)) this.#definitions.set(id, { type: 'array', items: [] })
      this.#definitions.set(id, make())
    }
    return failureOf(this.#definitions.get(id)) ?? { t: 'ref', id }
  }

  /**
   * Returns whether a definition still has to be made. If it was made for a value that wasn't needed and now is, it is made again,
   * because then everything inside it is needed as well, with its side effects.
   */
  #begin(id: string, needed: boolean): boolean {
    const before = this.#begun.get(id)
    if (before === true || before === needed) return false
    this.#begun.set(id, needed)
    return true
  }
}
