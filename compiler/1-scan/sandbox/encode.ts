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
import { Memory } from './memory.ts'
import type { Definition, Term } from './protocol.ts'
import { canStandAlone, sourceOf } from './source.ts'
import { never, ofEnvironment, undecided } from './terms.ts'

/** A longer list of effects is gone through from where it was left; a shorter one anew as it grows. */
const manyEffects = 8

/** Definitions of some values and of all that they refer to. */
export interface Encoded {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  /** What runs for sure, in the order in which the application does it. */
  readonly steps: readonly string[]
}

/** Makes a choice. */
export type Choose = (choice: Choice) => Value

/**
 * Takes values apart into definitions. What it has gone through once it does not go through again, as long as nothing of
 * it is written: `encode` gives what is new or may be another one.
 */
export class Encoder {
  readonly #machine: SliceMachine
  readonly #world: string
  readonly #memory = new Memory()
  #choose: Choose | undefined
  #definitions = new Map<string, Definition>()
  #steps = new Set<number>()
  /** The call whose arguments are being encoded: they are as they were then. */
  #call = Infinity

  /** @param world names the choices that `encode` is given */
  constructor(machine: SliceMachine, world = '') {
    this.#machine = machine
    this.#world = world
  }

  /** @param choose makes the choices of the world: the same ones each time */
  encode(values: readonly Value[], choose?: Choose): Encoded {
    this.#choose = choose
    this.#definitions = new Map()
    this.#steps = new Set()
    this.#memory.begin()
    const roots = values.map((value) => this.#term(value, true))
    const steps = [...this.#steps].sort((a, b) => a - b).map((id) => `d${id}${this.#world}`)
    return { definitions: this.#definitions, roots, steps }
  }

  /** To be called when an object is written. */
  changed(key: object): void {
    this.#memory.changed(key)
  }

  /** To be called when a list of effects has one more. */
  grown(effects: readonly Deferred[]): void {
    if (effects.length <= manyEffects) this.#memory.changed(effects)
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
        return this.#loose(value, needed, () => ({
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
    const importer = this.#machine.anywhere.getSourceFile().fileName
    const source = { specifier: `node:${module}`, importer, name: member, required: true }
    this.#definitions.set(id, { type: 'import', ...source, file: undefined })
    return id
  }

  #deferred(value: Deferred, needed: boolean): Term {
    const id = `d${value.id}${this.#world}`
    this.#memory.part(partName(id, needed), () => {
      if (needed) this.#steps.add(value.id)
      this.#defineDeferred(id, value, needed)
      if (needed) this.#effectsOf(value, id)
    })
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

  #effectsOf(value: Deferred, id: string): void {
    const effects = this.#machine.deferrals.effects.of(value)
    this.#memory.reads(effects)
    const run = (list: readonly Deferred[]): void => {
      for (const effect of list) this.#deferred(effect, true)
    }
    if (effects.length <= manyEffects) return run(effects)
    this.#memory.loosePart(`${id}+`, (from) => {
      const { length } = effects
      run(effects.slice(from))
      return length
    })
  }

  #array(value: ArrayValue, needed: boolean): Term {
    const { past } = this.#machine.deferrals
    this.#memory.reads(value)
    if (value.doubt !== undefined) return never(value.doubt.why)
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
    this.#memory.reads(value.collection ?? value)
    if (value.exotic !== undefined) return ofEnvironment([])
    if (past.isChanged(value.collection ?? value, this.#call)) return never(changed)
    if (value.class !== undefined)
      return never(`it is an object of the class \`${value.class.name}\``)
    if (value.collection !== undefined) return this.#collection(value, value.collection, needed)
    const base = past.read(value, kBase, this.#call, value.base)
    const members = [...past.read(value, undefined, this.#call, value.members)].filter(
      ([name, member]) =>
        member.hidden !== true && privateNameOf(name) === undefined && this.#isThere(member.value),
    )
    const make = (): Definition => ({
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
    })
    const isComputed = members.some(([, { getter }]) => getter !== undefined)
    return isComputed ? this.#loose(value, needed, make) : this.#define(value, needed, make)
  }

  #getterResult(getter: Value, owner: ObjectValue, { at }: Member): Value {
    const m = this.#machine
    return m.call(getter, owner, [], at ?? m.anywhere)
  }

  #collection(value: ObjectValue, collection: Collection, needed: boolean): Term {
    const { kind, doubt } = collection
    if (doubt !== undefined) return never(doubt.why)
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
    return this.#loose(value, false, () => {
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
    this.#memory.part(partName(id, needed), () => this.#put(id, make))
    return { t: 'ref', id }
  }

  /** Something that may become another one without notice. */
  #loose(value: object, needed: boolean, make: () => Definition): Term {
    const id = this.#idOf(value)
    const call = this.#call
    this.#memory.loosePart(`${partName(id, needed)}!`, () => {
      this.#during(call, () => this.#put(id, make))
      return 0
    })
    return { t: 'ref', id }
  }

  #put(id: string, make: () => Definition): void {
    // In its place first: it may refer to itself.
    if (!this.#definitions.has(id)) this.#definitions.set(id, { type: 'array', items: [] })
    this.#definitions.set(id, make())
  }
}

/** Make a collection of its entries. */
const collectionCode: Readonly<Record<Collection['kind'], string>> = {
  map: '(...entries) => new Map(entries)',
  set: '(...entries) => new Set(entries)',
  iterator: '(...entries) => entries.values()',
}

/** What runs for sure has its effects with it. */
function partName(id: string, needed: boolean): string {
  return needed ? id : `${id}?`
}

/** Whether a package looks at an object at once or later is its own affair. */
const changed = 'an object that was handed to a package is changed afterwards'

/** Methods of schema builders that set an annotation. */
const annotating = new Set(['describe', 'description', 'title'])
