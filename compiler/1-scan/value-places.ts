/** Locates members of values in the source. Places in computed values are searched for in the arguments of the computation. */
import { valueAt } from '../util/json.ts'
import type { Machine } from './values/machine.ts'
import { absent, type Value } from './values/index.ts'
import { operandsOf } from './evaluation/operations.ts'
import { ts, type Node } from '../util/source/project.ts'

export type Path = readonly (string | number)[]

const getterResults = new WeakMap<object, Map<string, Value>>()

/** Reads a member; a getter runs once. */
export function memberOf(
  m: Machine,
  owner: Extract<Value, { kind: 'object' }>,
  name: string,
): Value {
  const member = owner.members.get(name)
  if (member === undefined) return absent
  if (member.getter === undefined) return member.value
  let results = getterResults.get(owner)
  if (results === undefined) getterResults.set(owner, (results = new Map()))
  let value = results.get(name)
  if (value === undefined)
    results.set(name, (value = m.call(member.getter, owner, [], member.at ?? m.entryFile)))
  return value
}

/**
 * Returns the nearest known place of the value at `path` in `root`. Searches computed values for the text.
 *
 * @param picks the option of each choice
 * @param plain the plain value of `root`
 * @param what `name` for the place of the member's name instead of its value
 */
export function placeAt(
  m: Machine,
  root: Value,
  path: Path,
  picks: ReadonlyMap<unknown, number>,
  plain: unknown,
  what?: 'name',
): Node | undefined {
  let place: Node | undefined = root.at
  let value = root
  for (const [depth, key] of path.entries()) {
    value = chosen(value)
    const next = step(value, key)
    if (next === undefined) {
      const target = what === 'name' ? kName : valueAt(plain, path)
      return placeInside(value, path.at(-1), target, path.slice(depth)) ?? place
    }
    value = next.value
    place = value.at ?? next.at ?? place
    if (what === 'name' && depth === path.length - 1) place = nameAt(next.at) ?? place
  }
  return place

  function chosen(one: Value): Value {
    return one.kind === 'choice' ? chosen(one.options[picks.get(one.key) ?? 0] ?? absent) : one
  }

  function step(
    one: Value,
    key: string | number,
  ): { readonly value: Value; readonly at: Node | undefined } | undefined {
    if (one.kind === 'array') {
      // Absent optional elements leave no gap.
      const element = one.elements.filter((inner) => chosen(inner) !== absent)[Number(key)]
      return element && { value: element, at: element.at }
    }
    if (one.kind === 'namespace') {
      const member = one.read(String(key))
      return member && { value: member, at: member.at }
    }
    if (one.kind !== 'object') return undefined
    const member = one.members.get(String(key))
    if (member !== undefined) return { value: memberOf(m, one, String(key)), at: member.at }
    // Other members are in the base, which isn't known.
    return one.base && { value: one.base, at: one.base.at }
  }
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
  const found = [...visit(value, undefined)]
  const best = found.find(({ key }) => key === name || key === undefined) ?? found[0]
  return best?.at ?? value.at

  /** Yields the places of the text, with the names of their members. */
  function* visit(
    one: Value,
    key: string | undefined,
  ): Iterable<{ readonly key: string | undefined; readonly at: Node }> {
    if (seen.has(one)) return
    seen.add(one)
    if (one.kind === 'primitive') {
      const isTarget = typeof target === 'string' && one.value === target
      if (isTarget && one.at !== undefined) yield { key, at: one.at }
    } else if (one.kind === 'deferred') {
      for (const operand of operandsOf(one)) yield* visit(operand, undefined)
    } else if (one.kind === 'array') {
      for (const element of one.elements) yield* visit(element, undefined)
    } else if (one.kind === 'object') {
      const named = target === kName ? nameAt(one.members.get(String(name))?.at) : undefined
      if (named !== undefined) yield { key: undefined, at: named }
      // Try the names of the path first.
      for (const member of new Set([...path.map(String), ...one.members.keys()]))
        yield* visit(one.members.get(member)?.value ?? absent, String(member))
    }
  }
}
