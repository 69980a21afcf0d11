import type { SliceMachine } from './machine.ts'
import { privateNameOf } from '../values/names.ts'
import { kBase } from '../values/journal.ts'
import { absent } from '../values/index.ts'
import type {
  ArrayValue,
  Choice,
  ClassValue,
  Collection,
  Deferred,
  FunctionValue,
  Member,
  ObjectValue,
  Value,
} from '../values/index.ts'
import { annotations } from '../../../runtime/artifact/annotations.ts'
import { anyKnown } from '../values/annotations.ts'
import { methodCode } from './codes.ts'
import type { Definition, Term } from './protocol.ts'
import { canStandAlone, sourceOf } from './source.ts'
import { never, ofEnvironment, undecided } from './terms.ts'

/** Definitions of some values and of all that they refer to. */
export interface Encoded {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  /** What runs for sure, in the order in which the application does it. */
  readonly steps: readonly string[]
}

/** Makes a choice. */
export type Choose = (choice: Choice) => Value

/** Takes values apart into definitions of all that they refer to. */
export function encode(
  machine: SliceMachine,
  values: readonly Value[],
  world: Partial<World> = {},
): Encoded {
  return new Encoder(machine, world).encode(values)
}

/** A set of choices. Values that are made in different worlds are different. */
export interface World {
  /** The same choices have the same name. */
  readonly name: string
  readonly choose: Choose
}

class Encoder {
  readonly #machine: SliceMachine
  readonly #world: string
  readonly #choose: Choose | undefined
  readonly #definitions = new Map<string, Definition>()
  readonly #steps = new Set<number>()
  /** Definitions that were begun, with whether they run for sure. */
  readonly #begun = new Map<string, boolean>()
  /** The call whose arguments are being encoded: they are as they were then. */
  #call = Infinity

  constructor(machine: SliceMachine, { name = '', choose }: Partial<World>) {
    this.#machine = machine
    this.#world = name
    this.#choose = choose
  }

  encode(values: readonly Value[]): Encoded {
    const roots = values.map((value) => this.#term(value, true))
    const steps = [...this.#steps].sort((a, b) => a - b).map((id) => `d${id}${this.#world}`)
    return { definitions: this.#definitions, roots, steps }
  }

  /** `needed`: it runs for sure, rather than when a function happens to read it. */
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
      case 'class':
        return this.#closure(value)
      case 'namespace':
        return this.#define(value, needed, () => ({
          type: 'object',
          base: undefined,
          members: value.names().flatMap((name): [Term, Term][] => {
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
        return { t: 'ref', id: this.#nativeId(value.name) }
      case 'instance':
        return never('it is the running server')
    }
  }

  #nativeId(name: string): string {
    const id = `n${name}`
    const [, module, member] = /^(path|url)\.(\w+)$/.exec(name) ?? []
    if (module === undefined || member === undefined) {
      this.#definitions.set(id, { type: 'code', code: `() => ${name}`, operands: [] })
      return id
    }
    const importer = this.#machine.entryFile.getSourceFile().fileName
    const source = { specifier: `node:${module}`, importer, name: member, required: true }
    this.#definitions.set(id, { type: 'import', ...source, file: undefined })
    return id
  }

  #deferred(value: Deferred, needed: boolean): Term {
    const id = `d${value.id}${this.#world}`
    if (this.#begin(id, needed)) {
      if (needed) this.#steps.add(value.id)
      this.#defineDeferred(id, value, needed)
      if (needed) {
        const effects = this.#machine.deferrals.effects.of(value)
        for (const effect of effects) this.#deferred(effect, true)
      }
    }
    return { t: 'ref', id }
  }

  #defineDeferred(id: string, { id: number, source }: Deferred, needed: boolean): void {
    const { modules, project } = this.#machine
    const definitions = this.#definitions
    if (source.op === 'import') {
      const file = modules.resolve(source.specifier, source.importer)
      project.files.addLoaded({ ...source, specifier: file ?? source.specifier })
      definitions.set(id, { type: 'import', ...source, file })
    } else if (source.op === 'await') {
      definitions.set(id, { type: 'await', operand: this.#deferred(source.operand, needed) })
    } else {
      // Stored first: an effect refers back to what it changes.
      definitions.set(id, { type: 'code', code: source.code, operands: [] })
      const name = source.code === methodCode ? source.operands[1] : undefined
      const isAnnotating = name?.kind === 'primitive' && annotating.has(String(name.value))
      const operands = this.#during(number, () =>
        source.operands.map((operand) =>
          isAnnotating && operand.kind === 'unknown'
            ? { t: 'annotation' as const, why: operand.why }
            : this.#term(operand, needed),
        ),
      )
      definitions.set(id, { type: 'code', code: source.code, operands })
    }
  }

  #array(value: ArrayValue, needed: boolean): Term {
    const { past } = this.#machine.deferrals
    if (value.uncertainty !== undefined) return never(value.uncertainty.why)
    if (past.isChanged(value, this.#call)) return never(changed)
    return this.#define(value, needed, () => ({
      type: 'array',
      items: past
        .read(value, undefined, this.#call, { items: value.elements })
        .items.filter((item) => this.#isThere(item))
        .map((element) => this.#term(element, needed)),
    }))
  }

  #object(value: ObjectValue, needed: boolean): Term {
    const { past } = this.#machine.deferrals
    if (value.computeMember !== undefined) return ofEnvironment([])
    if (past.isChanged(value.collection ?? value, this.#call)) return never(changed)
    if (value.class !== undefined)
      return never(`it is an object of the class \`${value.class.name}\``)
    if (value.collection !== undefined) return this.#collection(value, value.collection, needed)
    const base = past.read(value, kBase, this.#call, value.base)
    const members = [...past.read(value, undefined, this.#call, value.members)].filter(
      ([name, member]) =>
        member.hidden !== true && privateNameOf(name) === undefined && this.#isThere(member.value),
    )
    return this.#define(value, needed, () => ({
      type: 'object',
      base: base === undefined ? undefined : this.#term(base, needed),
      members: members.map(([name, member]): [Term, Term] => [
        typeof name === 'symbol'
          ? { t: 'symbol', key: Symbol.keyFor(name) ?? String(name.description) }
          : { t: 'value', value: name },
        member.getter === undefined
          ? this.#named(name, member.value, needed)
          : this.#term(this.#getterResult(member.getter, value, member), needed),
      ]),
    }))
  }

  #getterResult(getter: Value, owner: ObjectValue, { at }: Member): Value {
    const m = this.#machine
    return m.call(getter, owner, [], at ?? m.entryFile)
  }

  #collection(value: ObjectValue, collection: Collection, needed: boolean): Term {
    const { kind, uncertainty } = collection
    if (uncertainty !== undefined) return never(uncertainty.why)
    const { items: entries } = this.#machine.deferrals.past.read(
      collection,
      undefined,
      this.#call,
      { items: collection.entries },
    )
    return this.#define(value, needed, () => ({
      type: 'code',
      code: collectionCode[kind],
      operands: entries.map((entry) => {
        const [key, item] = entry
        if (kind !== 'map') return this.#term(key, needed)
        return this.#define(entry, needed, () => ({
          type: 'array',
          items: [this.#term(key, needed), this.#term(item, needed)],
        }))
      }),
    }))
  }

  /** Elements and members may be there under a condition only. */
  #isThere(value: Value): boolean {
    if (value === absent) return false
    return (
      value.kind !== 'choice' || this.#choose === undefined || this.#isThere(this.#choose(value))
    )
  }

  /** A member; of an annotation it is enough to know one outcome, or none. */
  #named(name: string | symbol, value: Value, needed: boolean): Term {
    if (typeof name !== 'string' || !annotations.has(name)) return this.#term(value, needed)
    const known = anyKnown(value)
    return known.kind === 'unknown'
      ? { t: 'annotation', why: known.why }
      : this.#term(known, needed)
  }

  #closure(value: FunctionValue | ClassValue): Term {
    if (!canStandAlone(value.node))
      return never('a function of this form cannot be taken out of its place')
    return this.#define(value, false, () => {
      const source = sourceOf(value)
      return {
        type: 'source',
        text: source.text,
        // A function sees the present, whenever it is called.
        captures: this.#during(Infinity, () =>
          Object.fromEntries(
            source.free.map(([name, captured]) => [name, this.#term(captured, false)]),
          ),
        ),
        members: value.kind === 'function' ? this.#membersOf(value) : [],
        file: value.scope.file,
      }
    })
  }

  /** What has been set on a function. */
  #membersOf(value: FunctionValue): [Term, Term][] {
    return [...value.members].flatMap(([name, { value: member, hidden, getter }]) => {
      const isPlain =
        typeof name === 'string' && name !== 'prototype' && !hidden && getter === undefined
      return isPlain && this.#isThere(member)
        ? [[{ t: 'value', value: name }, this.#term(member, false)]]
        : []
    })
  }

  #during<T>(number: number, run: () => T): T {
    const outer = this.#call
    this.#call = number
    try {
      return run()
    } finally {
      this.#call = outer
    }
  }

  /** Whether the object, or one inside it, was in another state at the call. */
  #hadOtherState(value: object, seen = new Set<object>()): boolean {
    if (seen.has(value)) return false
    seen.add(value)
    const one = value as Value
    const key = one.kind === 'object' ? (one.collection ?? one) : one
    if (this.#machine.deferrals.past.has(key, this.#call)) return true
    const inner = (other: Value): boolean => this.#hadOtherState(other, seen)
    switch (one.kind) {
      case 'array':
        return one.elements.some(inner)
      case 'object':
        return (
          (one.base !== undefined && inner(one.base)) ||
          [...one.members.values()].some((member) => inner(member.value)) ||
          (one.collection?.entries.flat().some(inner) ?? false)
        )
      case 'choice':
        return one.options.some(inner)
      default:
        return false
    }
  }

  #idOf(value: object): string {
    const id = this.#machine.deferrals.nameOf(value) + this.#world
    const isOther = this.#machine.deferrals.past.isAfter(this.#call) && this.#hadOtherState(value)
    return isOther ? `${id}t${this.#call}` : id
  }

  #define(value: object, needed: boolean, make: () => Definition): Term {
    const id = this.#idOf(value)
    if (this.#begin(id, needed)) {
      // Reserve its place first: it may refer to itself.
      if (!this.#definitions.has(id)) this.#definitions.set(id, { type: 'array', items: [] })
      this.#definitions.set(id, make())
    }
    return { t: 'ref', id }
  }

  /** Whether a definition still has to be made. One that runs for sure also needs its effects. */
  #begin(id: string, needed: boolean): boolean {
    const before = this.#begun.get(id)
    if (before === true || before === needed) return false
    this.#begun.set(id, needed)
    return true
  }
}

/** Make a collection of its entries. */
const collectionCode: Readonly<Record<Collection['kind'], string>> = {
  map: '(...entries) => new Map(entries)',
  set: '(...entries) => new Set(entries)',
  iterator: '(...entries) => entries.values()',
}

/** Whether a package looks at an object at once or later is its own affair. */
const changed = 'an object that was handed to a package is changed afterwards'

/** Methods of schema builders that set an annotation. */
const annotating = new Set(['describe', 'description', 'title'])
