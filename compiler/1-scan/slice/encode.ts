import type { Machine } from '../interpreter/machine.ts'
import { privateNameOf } from '../interpreter/names.ts'
import { kBase } from '../interpreter/journal.ts'
import { absent } from '../interpreter/values.ts'
import type { Choice, Deferred, FunctionValue, Value } from '../interpreter/values.ts'
import { annotations } from '../../../runtime/artifact/annotations.ts'
import { anyKnown } from '../annotations.ts'
import { methodCode } from './codes.ts'
import type { Definition, Program, Term } from './protocol.ts'
import { sourceOf } from './source.ts'

/** What the worker knows already. */
const sent = new WeakMap<Machine, Map<string, Definition>>()
const ids = new WeakMap<object, string>()
let counter = 0

/** Definitions of some values and of all that they refer to. */
export interface Encoded {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  /** What runs for sure, in the order in which the application does it. */
  readonly steps: readonly string[]
}

/** Which of their options choices stand for. Values that are made in another world are others. */
export interface World {
  readonly name: string
  choose(this: void, choice: Choice): Value
}

/** The program that computes some values; what the worker knows already is left out. */
export function encodeProgram(
  m: Machine,
  values: readonly Deferred[],
  wants: Program['wants'],
  world?: World,
): Program {
  const { definitions, roots, steps } = encode(m, values, world)
  let known = sent.get(m)
  if (known === undefined) sent.set(m, (known = new Map()))
  const changed: [string, Definition][] = []
  for (const [id, definition] of definitions) {
    const before = known.get(id)
    if (before !== undefined && isSame(before, definition)) continue
    known.set(id, definition)
    changed.push([id, definition])
  }
  return { definitions: changed, steps, roots, wants }
}

/** Whether two definitions, or two parts of them, say the same. */
function isSame(one: object, other: object): boolean {
  const entries = Object.entries(one) as [string, unknown][]
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => {
      const counterpart = (other as Readonly<Record<string, unknown>>)[key]
      if (Object.is(value, counterpart)) return true
      if (typeof value !== 'object' || value === null) return false
      return typeof counterpart === 'object' && counterpart !== null && isSame(value, counterpart)
    })
  )
}

export function encode(m: Machine, values: readonly Value[], world?: World): Encoded {
  const suffix = world?.name ?? ''
  const definitions = new Map<string, Definition>()
  const stepIds = new Set<number>()
  const { past } = m.deferrals
  /** The call whose arguments are being encoded: they are as they were then. */
  let call = Infinity
  const roots = values.map((value) => term(value, true))
  const steps = [...stepIds].sort((a, b) => a - b).map((id) => `d${id}${suffix}`)
  return { definitions, roots, steps }

  /** `needed`: it runs for sure, rather than when a function happens to read it. */
  function term(value: Value, needed: boolean): Term {
    switch (value.kind) {
      case 'primitive':
        if (typeof value.value === 'symbol') {
          const key = Symbol.keyFor(value.value)
          return key === undefined ? never('it is a symbol') : { t: 'symbol', key }
        }
        return { t: 'value', value: value.value }
      case 'deferred':
        return deferred(value, needed)
      case 'array':
        if (value.doubt !== undefined) return never(value.doubt.why)
        if (past.isChanged(value, call)) return never(changed)
        return define(value, () => ({
          type: 'array',
          items: past
            .read(value, undefined, call, { items: value.elements })
            .items.filter(isThere)
            .map((element) => term(element, needed)),
        }))
      case 'object':
        return object(value, needed)
      case 'function':
      case 'class':
        return closure(value)
      case 'namespace':
        return define(value, () => ({
          type: 'object',
          base: undefined,
          members: value.names().flatMap((name): [Term, Term][] => {
            const member = value.read(name)
            return member === undefined ? [] : [[{ t: 'value', value: name }, term(member, false)]]
          }),
        }))
      case 'unknown':
        return never(value.why)
      case 'choice':
        return world === undefined ? undecided : term(world.choose(value), needed)
      case 'native':
        return { t: 'ref', id: nativeId(value.name) }
      case 'instance':
        return never('it is the running server')
    }
  }

  function nativeId(name: string): string {
    const id = `n${name}`
    const [, module, member] = /^(path|url)\.(\w+)$/.exec(name) ?? []
    if (module === undefined || member === undefined) {
      definitions.set(id, { type: 'code', code: `() => ${name}`, operands: [] })
      return id
    }
    const importer = m.anywhere.getSourceFile().fileName
    const source = { specifier: `node:${module}`, importer, name: member, required: true }
    definitions.set(id, { type: 'import', ...source, file: undefined })
    return id
  }

  function deferred(value: Deferred, needed: boolean): Term {
    const id = `d${value.id}${suffix}`
    if (needed) {
      if (stepIds.has(value.id)) return { t: 'ref', id }
      stepIds.add(value.id)
    } else if (definitions.has(id)) return { t: 'ref', id }
    const { source } = value
    if (source.op === 'import') {
      const file = m.modules.resolve(source.specifier, source.importer)
      m.project.files.noteLoaded({ ...source, specifier: file ?? source.specifier })
      definitions.set(id, { type: 'import', ...source, file })
    } else if (source.op === 'await') {
      definitions.set(id, { type: 'await', operand: deferred(source.operand, needed) })
    } else {
      // Stored first: an effect refers back to what it changes.
      definitions.set(id, { type: 'code', code: source.code, operands: [] })
      const name = source.code === methodCode ? source.operands[1] : undefined
      const isAnnotating = name?.kind === 'primitive' && annotating.has(String(name.value))
      const operands = during(value.id, () =>
        source.operands.map((operand) =>
          isAnnotating && operand.kind === 'unknown'
            ? { t: 'annotation' as const, why: operand.why }
            : term(operand, needed),
        ),
      )
      definitions.set(id, { type: 'code', code: source.code, operands })
    }
    if (needed) for (const effect of m.deferrals.effects.of(value)) deferred(effect, true)
    return { t: 'ref', id }
  }

  function object(value: Extract<Value, { kind: 'object' }>, needed: boolean): Term {
    if (value.exotic !== undefined) return never('it depends on the environment')
    if (past.isChanged(value.collection ?? value, call)) return never(changed)
    if (value.class !== undefined)
      return never(`it is an object of the class \`${value.class.name}\``)
    if (value.collection !== undefined) {
      const { kind, doubt } = value.collection
      if (doubt !== undefined) return never(doubt.why)
      const { items: entries } = past.read(value.collection, undefined, call, {
        items: value.collection.entries,
      })
      const constructor = kind === 'map' ? 'Map' : 'Set'
      return define(value, () => ({
        type: 'code',
        code: `(...entries) => new ${constructor}(entries)`,
        operands: entries.map((entry) => {
          const [key, item] = entry
          if (kind === 'set') return term(key, needed)
          return define(entry, () => ({
            type: 'array',
            items: [term(key, needed), term(item, needed)],
          }))
        }),
      }))
    }
    const base = past.read(value, kBase, call, value.base)
    return define(value, () => ({
      type: 'object',
      base: base === undefined ? undefined : term(base, needed),
      members: [...past.read(value, undefined, call, value.members)]
        .filter(
          ([name, member]) =>
            member.hidden !== true && privateNameOf(name) === undefined && isThere(member.value),
        )
        .map(([name, member]): [Term, Term] => [
          typeof name === 'symbol'
            ? { t: 'symbol', key: Symbol.keyFor(name) ?? String(name.description) }
            : { t: 'value', value: name },
          member.getter === undefined
            ? named(name, member.value, needed)
            : term(m.call(member.getter, value, [], member.at ?? m.anywhere), needed),
        ]),
    }))
  }

  /** Elements and members may be there under a condition only. */
  function isThere(value: Value): boolean {
    if (value === absent) return false
    return value.kind !== 'choice' || world === undefined || isThere(world.choose(value))
  }

  /** A member; of an annotation it is enough to know one outcome, or none. */
  function named(name: string | symbol, value: Value, needed: boolean): Term {
    if (typeof name !== 'string' || !annotations.has(name)) return term(value, needed)
    const known = anyKnown(value)
    return known.kind === 'unknown' ? { t: 'annotation', why: known.why } : term(known, needed)
  }

  function closure(value: FunctionValue | Extract<Value, { kind: 'class' }>): Term {
    const source = sourceOf(value)
    if (source === undefined)
      return never('a function of this form cannot be taken out of its place')
    return define(value, () => ({
      type: 'source',
      text: source.text,
      // A function sees the present, whenever it is called.
      captures: during(Infinity, () =>
        Object.fromEntries(source.free.map(([name, captured]) => [name, term(captured, false)])),
      ),
      members: value.kind === 'function' ? membersOf(value) : [],
      file: value.scope.file,
    }))
  }

  /** What has been set on a function. */
  function membersOf(value: FunctionValue): [Term, Term][] {
    return [...value.members].flatMap(([name, { value: member, hidden, getter }]) => {
      const isPlain =
        typeof name === 'string' && name !== 'prototype' && !hidden && getter === undefined
      return isPlain && isThere(member) ? [[{ t: 'value', value: name }, term(member, false)]] : []
    })
  }

  function during<T>(number: number, run: () => T): T {
    const outer = call
    call = number
    try {
      return run()
    } finally {
      call = outer
    }
  }

  /** Whether the object, or one inside it, was in another state at the call. */
  function hadOtherState(value: object, seen = new Set<object>()): boolean {
    if (seen.has(value)) return false
    seen.add(value)
    const one = value as Value
    if (past.has(one.kind === 'object' ? (one.collection ?? one) : one, call)) return true
    const inner = (other: Value): boolean => hadOtherState(other, seen)
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

  function define(value: object, make: () => Definition): Term {
    let id = ids.get(value)
    if (id === undefined) ids.set(value, (id = `v${++counter}`))
    id += suffix
    if (past.isAfter(call) && hadOtherState(value)) id += `t${call}`
    if (!definitions.has(id)) {
      definitions.set(id, { type: 'array', items: [] })
      definitions.set(id, make())
    }
    return { t: 'ref', id }
  }
}

function never(why: string): Term {
  return { t: 'never', why }
}

/** Whether a package looks at an object at once or later is its own affair. */
const changed = 'an object that was handed to a package is changed afterwards'

/** Methods of schema builders that set an annotation. */
const annotating = new Set(['describe', 'description', 'title'])

const undecided: Term = {
  t: 'never',
  why: 'it depends on a condition that only the running application knows',
  undecided: true,
}
