import type { Machine } from '../interpreter/machine.ts'
import { privateNameOf } from '../interpreter/names.ts'
import type { Deferred, FunctionValue, Value } from '../interpreter/values.ts'
import type { Definition, Program, Term } from './protocol.ts'
import { sourceOf } from './source.ts'

/** What the worker knows already, by the text of each definition. */
const sent = new WeakMap<Machine, Map<string, string>>()
const ids = new WeakMap<object, string>()
let counter = 0

/** Definitions of some values and of all that they refer to. */
export interface Encoded {
  readonly definitions: ReadonlyMap<string, Definition>
  readonly roots: readonly Term[]
  /** What runs for sure, in the order in which the application does it. */
  readonly steps: readonly string[]
}

/** The program that computes some values; what the worker knows already is left out. */
export function encodeProgram(
  m: Machine,
  values: readonly Deferred[],
  wants: Program['wants'],
): Program {
  const { definitions, roots, steps } = encode(m, values)
  let known = sent.get(m)
  if (known === undefined) sent.set(m, (known = new Map()))
  const changed: [string, Definition][] = []
  for (const [id, definition] of definitions) {
    const text = JSON.stringify(definition, (_, value: unknown) =>
      typeof value === 'bigint' || value === undefined ? String(value) : value,
    )
    if (known.get(id) === text) continue
    known.set(id, text)
    changed.push([id, definition])
  }
  return { definitions: changed, steps, roots, wants }
}

export function encode(m: Machine, values: readonly Value[]): Encoded {
  const definitions = new Map<string, Definition>()
  const stepIds = new Set<number>()
  const roots = values.map((value) => term(value, true))
  const steps = [...stepIds].sort((a, b) => a - b).map((id) => `d${id}`)
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
        return define(value, () => ({
          type: 'array',
          items: value.elements.map((element) => term(element, needed)),
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
        return never('it depends on a condition that only the running application knows')
      case 'native':
        return { t: 'ref', id: nativeId(value.name) }
      case 'instance':
        return never('it is the running server')
    }
  }

  function nativeId(name: string): string {
    const id = `n${name}`
    definitions.set(id, { type: 'code', code: `() => ${name}`, operands: [] })
    return id
  }

  function deferred(value: Deferred, needed: boolean): Term {
    const id = `d${value.id}`
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
      const operands = source.operands.map((operand) => term(operand, needed))
      definitions.set(id, { type: 'code', code: source.code, operands })
    }
    if (needed) for (const effect of m.deferrals.effects.of(value)) deferred(effect, true)
    return { t: 'ref', id }
  }

  function object(value: Extract<Value, { kind: 'object' }>, needed: boolean): Term {
    if (value.exotic !== undefined) return never('it depends on the environment')
    if (value.class !== undefined)
      return never(`it is an object of the class \`${value.class.name}\``)
    if (value.collection !== undefined) {
      const { kind, entries } = value.collection
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
    return define(value, () => ({
      type: 'object',
      base: value.base === undefined ? undefined : term(value.base, needed),
      members: [...value.members]
        .filter(([name]) => privateNameOf(name) === undefined)
        .map(([name, member]): [Term, Term] => [
          typeof name === 'symbol'
            ? { t: 'symbol', key: Symbol.keyFor(name) ?? String(name.description) }
            : { t: 'value', value: name },
          member.getter === undefined
            ? term(member.value, needed)
            : term(m.call(member.getter, value, [], member.at ?? m.anywhere), needed),
        ]),
    }))
  }

  function closure(value: FunctionValue | Extract<Value, { kind: 'class' }>): Term {
    const source = sourceOf(value)
    if (source === undefined)
      return never('a function of this form cannot be taken out of its place')
    return define(value, () => ({
      type: 'source',
      text: source.text,
      captures: Object.fromEntries(
        source.free.map(([name, captured]) => [name, term(captured, false)]),
      ),
      file: value.scope.file,
    }))
  }

  function define(value: object, make: () => Definition): Term {
    let id = ids.get(value)
    if (id === undefined) ids.set(value, (id = `v${++counter}`))
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
