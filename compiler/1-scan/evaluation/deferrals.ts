/**
 * Values that only the sandbox can compute, such as the results of calls into packages. They form a program that grows during the
 * scan. When a result is needed, the sandbox runs the calls and imports that lead to it, and nothing else.
 */
import type { Machine } from '../values/machine.ts'
import type { DeferredValues } from '../values/interfaces.ts'
import { copyOf, nextNumber, primitive, unknown } from '../values/index.ts'
import type {
  Choice,
  ChoiceKey,
  Deferred,
  DeferredSource,
  ObjectValue,
  Scalar,
  Unknown,
  Value,
} from '../values/index.ts'
import { isInside, type Node } from '../../util/source/project.ts'
import { callCode, constructCode, memberCode, methodCode } from '../../sandbox/protocol.ts'
import { SandboxClient, type Sandbox } from './client.ts'
import { Effects } from './effects.ts'
import { Encoder } from './encode.ts'
import { isMadeForEffects, isOfPackage } from './made-for-effects.ts'
import { toModule, type NoModule, type ValueModule } from '../../sandbox/module-text.ts'
import type { Never, Outcome, Shape } from '../../sandbox/protocol.ts'
import { ObjectHistory } from './object-history.ts'

export interface SandboxMachine extends Machine {
  readonly deferrals: Deferrals
}

export class Deferrals implements DeferredValues {
  readonly #machine: SandboxMachine
  readonly #client: SandboxClient
  readonly #imports = new Map<string, Deferred>()
  readonly #members = new WeakMap<Deferred, Members>()
  readonly effects: Effects
  readonly history: ObjectHistory = new ObjectHistory(() => this.#places.length)
  readonly #shapes = new Map<Deferred, { version: readonly unknown[]; shape: Shape | Unknown }>()
  /** Why a call has no value, for calls with an unknown argument. Code that waits for a database has thousands of them. */
  readonly failures: WeakMap<Deferred, Never> = new WeakMap()
  readonly #externalMutations = new WeakMap<Value, readonly ExternalMutation[]>()
  /** The node of each deferred value. Its index is the value's number minus one. */
  readonly #places: Node[] = []
  readonly #names = new WeakMap<object, string>()
  #nameCount = 0

  constructor(machine: SandboxMachine, sandbox: Sandbox) {
    this.#machine = machine
    this.#client = new SandboxClient(machine, sandbox)
    this.effects = new Effects(
      () => machine.journal,
      (source, name) => machine.modules.dependsOn(source, name),
    )
  }

  import(source: Omit<Extract<DeferredSource, { op: 'import' }>, 'op'>, at: Node): Deferred {
    const { specifier, importer, name, required } = source
    // One package is one module, whichever file imports it.
    const file = this.#machine.modules.resolve(specifier, importer, required) ?? importer
    const key = [specifier, file, name, required].join('\n')
    let known = this.#imports.get(key)
    if (known === undefined) {
      known = this.#create({ op: 'import', ...source }, at)
      this.#imports.set(key, known)
    }
    return known
  }

  /** The result of a JavaScript function without free variables, applied to the operands. */
  code(code: string, operands: readonly Value[], at: Node): Deferred {
    return this.#create({ op: 'code', code, operands }, at)
  }

  regularExpression(text: string, at: Node): Deferred {
    const created = this.code(`() => ${text}`, [], at)
    this.#shapes.set(created, {
      version: this.effects.version(created),
      shape: { type: 'object', keys: [], iterable: false },
    })
    return created
  }

  awaited(promise: Deferred, at: Node): Deferred {
    const { source } = promise
    // A package's namespace is there at once. Its exports may be promises.
    if (source.op === 'import' && source.name === '*' && !source.required) return promise
    return this.#create({ op: 'await', operand: promise }, at)
  }

  member(owner: Deferred, key: string | symbol, at: Node): Deferred {
    const version = this.effects.version(owner)
    let members = this.#members.get(owner)
    // A change of the owner may put something else there.
    if (members === undefined || !isSame(members.version, version)) {
      this.#members.set(owner, (members = { version, values: new Map() }))
    }
    let known = members.values.get(key)
    if (known === undefined) {
      known = this.code(memberCode, [owner, primitive(key, at)], at)
      members.values.set(key, known)
    }
    return known
  }

  call(callee: Deferred, args: readonly Value[], at: Node): Deferred {
    return this.#external(callCode, [callee], args, at)
  }

  callMethod(owner: Deferred, key: Value, args: readonly Value[], at: Node): Deferred {
    const result = this.#external(methodCode, [owner, key], args, at)
    // A method may change its object as well as return something: a registry does.
    if (!isOfPackage(owner, at)) this.effects.addCall(owner, result)
    return result
  }

  construct(callee: Deferred, args: readonly Value[], at: Node): Deferred {
    return this.#external(constructCode, [callee], args, at)
  }

  /** An operation that changes its first operand. */
  effect(code: string, operands: readonly Value[], at: Node): void {
    const effect = this.code(code, operands, at)
    const [target] = operands
    if (target?.kind === 'deferred') this.effects.add(target, effect, isOfPackage(target, at))
  }

  /** Returns a primitive result as a value of the interpreter, an unknown one as unknown, and others as they are. */
  known(value: Deferred): Value {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    return shape.type === 'primitive' ? primitive(shape.value as Scalar, value.at) : value
  }

  typeOf(value: Deferred): string | undefined {
    const shape = this.#shape(value)
    if ('kind' in shape) return undefined
    if (shape.type === 'primitive') return typeof shape.value
    return shape.type === 'function' || shape.type === 'symbol' ? shape.type : 'object'
  }

  isArray(value: Deferred): boolean {
    const shape = this.#shape(value)
    return !('kind' in shape) && shape.type === 'array'
  }

  items(value: Deferred, at: Node): Value[] | Unknown {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    if (shape.type === 'object' && shape.iterable) {
      return this.items(this.code('(v) => [...v]', [value], at), at)
    }
    if (shape.type !== 'array') return unknown('the iterated value is not a list', at)
    const entries = this.entries(value, at)
    return Array.isArray(entries) ? entries.map(([, item]) => item) : entries
  }

  entries(value: Deferred, at: Node): [string, Value][] | Unknown {
    const shape = this.#shape(value)
    if ('kind' in shape) return shape
    let keys: readonly string[] = []
    if (shape.type === 'array') keys = Array.from({ length: shape.length }, (_, i) => String(i))
    else if ('keys' in shape) keys = shape.keys
    return keys.map((key) => [key, this.member(value, key, at)])
  }

  plain(values: readonly Deferred[]): Outcome[] {
    if (values.length === 0) return []
    return this.#client.evaluate(values, 'plain')
  }

  /** Computes the plain data of one value under the choices that `choose` makes. */
  plainUnder(value: Deferred, choose: (choice: Choice) => Value): Outcome | undefined {
    const picks = new Map<ChoiceKey, string>()
    const record = (choice: Choice): Value => {
      const option = choose(choice)
      picks.set(choice.key, `${this.nameOf(choice.key)}_${choice.options.indexOf(option)}`)
      return option
    }
    // Encodes once without a request, to learn which choices the value depends on.
    new Encoder(this.#machine, { choose: record }).encode([value])
    // The name becomes a part of the ids, so that equal choices share what they have computed.
    const name = `w${[...picks.values()].sort().join('w')}`
    return this.#client.evaluate([value], 'plain', { name, choose })[0]
  }

  moduleOf(value: Value): ValueModule | NoModule {
    return toModule(new Encoder(this.#machine).encode([value]))
  }

  close(): void {
    this.#client.close()
  }

  /** The node that a step was written at, by its id in a request. */
  placeOf(step: string): Node | undefined {
    const [, number = ''] = /^d(\d+)/.exec(step) ?? []
    return this.#places[Number(number) - 1]
  }

  /** A name for an object, list or function, which is the same in every scan of the same source. */
  nameOf(value: object): string {
    let name = this.#names.get(value)
    if (name === undefined) this.#names.set(value, (name = `v${++this.#nameCount}`))
    return name
  }

  /** Calls that passed an object to a package, which may have changed it. */
  externalMutationsOf(value: Value): readonly ExternalMutation[] {
    return this.#externalMutations.get(value) ?? []
  }

  /** Marks a copy as changed by the same packages as its original. */
  copyExternalMutations(original: Value, copy: Value): void {
    const mutations = this.#externalMutations.get(original)
    if (mutations !== undefined) this.#externalMutations.set(copy, mutations)
  }

  /** Calls a function that isn't in the source. */
  #external(code: string, callee: readonly Value[], args: readonly Value[], at: Node): Deferred {
    this.#client.prepare()
    const result = this.code(code, [...callee, ...args], at)
    if (isMadeForEffects(callee, at, this.#machine.budget.calls)) {
      for (const operand of [...callee, ...args]) {
        if (operand.kind === 'deferred') this.effects.add(operand, result, isOfPackage(operand, at))
      }
    }
    // The package may change an object that the scan goes on reading. To find out, the call is repeated with a copy, if anything asks.
    for (const [index, arg] of args.entries()) {
      if (arg.kind !== 'object' || isFresh(arg, at)) continue
      const copies = [copyOf(arg, arg.at), copyOf(arg, arg.at)] as const
      const before = this.code('(o) => o', [copies[0]], at)
      const operands = [
        primitive(callee.length + index, at),
        ...callee,
        ...args.with(index, copies[1]),
      ]
      const after = this.code(`(i, ...x) => { (${code})(...x); return x[i] }`, operands, at)
      this.#externalMutations.set(arg, [...this.externalMutationsOf(arg), { before, after, at }])
    }
    return result
  }

  #create(source: DeferredSource, at: Node): Deferred {
    const id = this.#places.push(at)
    return {
      kind: 'deferred',
      id,
      number: nextNumber(),
      source,
      at,
      changes: undefined,
      earlier: [],
    }
  }

  #shape(value: Deferred): Shape | Unknown {
    const cached = this.#cachedShape(value) ?? this.#failureOf(value)
    if (cached !== undefined) return cached
    const [outcome] = this.#client.evaluate([value], 'shape')
    const shape: Shape | Unknown =
      outcome?.type === 'shape'
        ? outcome.shape
        : unknown(outcome?.type === 'failed' ? outcome.why : 'it has no value', value.at)
    this.#shapes.set(value, { version: this.effects.version(value), shape })
    return shape
  }

  #cachedShape(value: Deferred): Shape | Unknown | undefined {
    const cached = this.#shapes.get(value)
    if (cached === undefined) return undefined
    // Calls of its methods don't change that there is no value.
    const isFinal = 'kind' in cached.shape && value.source.op !== 'import'
    return isFinal || isSame(cached.version, this.effects.version(value)) ? cached.shape : undefined
  }

  /** Returns the failure of the first operand, which fails the whole step: no need to ask the sandbox again. */
  #failureOf({ source, at }: Deferred): Unknown | undefined {
    if (source.op === 'import') return undefined
    const first = source.op === 'await' ? source.operand : source.operands[0]
    if (first?.kind !== 'deferred') return undefined
    const shape = this.#cachedShape(first) ?? this.#failureOf(first)
    return shape !== undefined && 'kind' in shape ? unknown(shape.why, at) : undefined
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((state, index) => state === other[index])
}

interface Members {
  readonly version: readonly unknown[]
  readonly values: Map<string | symbol, Deferred>
}

/** A call that passes an object to a package. If the object differs before and after, the package changes it. */
export interface ExternalMutation {
  readonly before: Deferred
  readonly after: Deferred
  readonly at: Node
}

/** Returns whether an argument is written in the call itself, so that nothing else refers to it. */
function isFresh({ at }: ObjectValue, call: Node): boolean {
  return at !== undefined && isInside(at, call)
}
