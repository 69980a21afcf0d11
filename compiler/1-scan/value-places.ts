/** Locates members of values in the source. Places in computed values are searched for in the arguments of the computation. */
import { valueAt } from '../util/json.ts'
import type { Machine } from './values/machine.ts'
import { absent, type Value } from './values/index.ts'
import { ts, type Node } from './project.ts'

export type Path = readonly (string | number)[]

const getters = new WeakMap<object, Map<string, Value>>()

/** Reads a member; a getter runs once. */
export function memberOf(
  m: Machine,
  owner: Extract<Value, { kind: 'object' }>,
  name: string,
): Value {
  const member = owner.members.get(name)
  if (member === undefined) return absent
  if (member.getter === undefined) return member.value
  let known = getters.get(owner)
  if (known === undefined) getters.set(owner, (known = new Map()))
  let value = known.get(name)
  if (value === undefined)
    known.set(name, (value = m.call(member.getter, owner, [], member.at ?? m.entryFile)))
  return value
}

interface Wanted {
  readonly picks: ReadonlyMap<unknown, number>
  readonly plain: unknown
  readonly what: 'name' | undefined
}

/** Returns the expression of the value at `path` in `root`, or its name. Inside computed values, it searches for the text. */
export function placeAt(
  m: Machine,
  root: Value,
  path: Path,
  { picks, plain, what }: Wanted,
): Node | undefined {
  let place: Node | undefined = root.at
  let value = root
  for (const [depth, key] of path.entries()) {
    value = chosen(value, picks)
    const next = step(m, value, key, picks)
    if (next === undefined) {
      const target = what === 'name' ? kName : valueAt(plain, path)
      return placeInside(value, path.at(-1), target, path.slice(depth)) ?? place
    }
    value = next.value
    place = value.at ?? next.at ?? place
    if (what === 'name' && depth === path.length - 1) place = nameAt(next.at) ?? place
  }
  return place
}

function chosen(value: Value, picks: Wanted['picks']): Value {
  while (value.kind === 'choice') value = value.options[picks.get(value.key) ?? 0] ?? absent
  return value
}

function step(
  m: Machine,
  value: Value,
  key: string | number,
  picks: Wanted['picks'],
): { value: Value; at: Node | undefined } | undefined {
  if (value.kind === 'array') {
    // Absent optional elements leave no gap.
    const elements = value.elements.filter((one) => chosen(one, picks) !== absent)
    const element = elements[Number(key)]
    return element === undefined ? undefined : { value: element, at: element.at }
  }
  if (value.kind === 'namespace') {
    const member = value.read(String(key))
    return member === undefined ? undefined : { value: member, at: member.at }
  }
  if (value.kind !== 'object') return undefined
  const member = value.members.get(String(key))
  if (member !== undefined) return { value: memberOf(m, value, String(key)), at: member.at }
  return value.base === undefined ? undefined : { value: value.base, at: value.base.at }
}

/** Searches for the name of a member, not for its value. */
const kName = Symbol('name')

export function nameAt(at: Node | undefined): Node | undefined {
  return at !== undefined && ts.isObjectLiteralElementLike(at) ? at.name : undefined
}

/** Searches the arguments of a computation for a text, preferably under the same name. */
function placeInside(
  value: Value,
  name: string | number | undefined,
  target: unknown,
  path: Path,
): Node | undefined {
  const seen = new Set<Value>()
  let second: Node | undefined
  const visit = (one: Value, key: string | undefined): Node | undefined => {
    if (seen.has(one)) return undefined
    seen.add(one)
    switch (one.kind) {
      case 'primitive':
        if (typeof target !== 'string' || one.value !== target || one.at === undefined)
          return undefined
        if (key === name || key === undefined) return one.at
        second ??= one.at
        return undefined
      case 'deferred':
        if (one.source.op === 'await') return visit(one.source.operand, undefined)
        return one.source.op === 'code'
          ? first(one.source.operands, (operand) => visit(operand, undefined))
          : undefined
      case 'array':
        return first(one.elements, (element) => visit(element, undefined))
      case 'object': {
        // Try the names of the path first.
        const names = new Set([...path.map(String), ...one.members.keys()])
        const named = target === kName ? nameAt(one.members.get(String(name))?.at) : undefined
        if (named !== undefined) return named
        return first([...names], (member) =>
          visit(one.members.get(member)?.value ?? absent, String(member)),
        )
      }
      default:
        return undefined
    }
  }
  return visit(value, undefined) ?? second ?? value.at
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
