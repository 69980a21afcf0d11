import { isDeepStrictEqual } from 'node:util'
import type { Origin, ScannedSchema, SchemaHole, SourceLocation } from '../model/index.ts'
import { anyKnown, isAnnotation } from './values/annotations.ts'
import type { Choice, Deferred, Unknown, Value } from './values/index.ts'
import { absent, primitive } from './values/index.ts'
import type { Arm } from './values/machine.ts'
import type { ScanMachine } from './machine.ts'
import type { Escape } from './sandbox/deferrals.ts'
import type { Outcome } from './sandbox/protocol.ts'
import { memberOf, placeAt } from './places.ts'
import type { Path } from './places.ts'

/** A value that must be known, and the conditions that it is needed under. */
export interface Demand {
  readonly value: Value
  readonly arms: readonly Arm[]
}

const folderOfMachine = 'it depends on the folder that the application is in'

/** More combinations of conditions than this inside one value are reported, not followed. */
const maxAlternatives = 64

/**
 * Plain data of the given values, each as the list of what it may be: several where it depends on a
 * condition that only the running application knows. All deferred parts are computed in one batch.
 */
export function toStatics(m: ScanMachine, demands: readonly Demand[]): ScannedSchema[][] {
  const deferred = new Set<Deferred>()
  const seen = new Set<Value>()
  for (const { value } of demands) collectDeferred(m, value, deferred, seen)
  const list = [...deferred]
  const results = m.deferrals.plain(list)
  const outcomes = new Map(list.map((one, index) => [one, results[index] as Outcome]))
  return demands.map((demand) => alternatives(m, demand, outcomes))
}

function collectDeferred(
  m: ScanMachine,
  value: Value,
  found: Set<Deferred>,
  seen: Set<Value>,
): void {
  if (seen.has(value)) return
  seen.add(value)
  for (const { before, after } of m.deferrals.escapesOf(value)) found.add(before).add(after)
  const visit = (inner: Value): void => collectDeferred(m, inner, found, seen)
  switch (value.kind) {
    case 'deferred':
      found.add(value)
      break
    case 'object':
      if (m.literals.untouched(value) !== undefined) break
      if (value.base !== undefined) visit(value.base)
      for (const name of value.members.keys()) {
        if (typeof name === 'string') visit(memberOf(m, value, name))
      }
      break
    case 'array':
      value.elements.forEach(visit)
      break
    case 'namespace':
      for (const name of value.names()) visit(value.read(name) ?? absent)
      break
    case 'choice':
      value.options.forEach(visit)
      break
    default:
  }
}

interface Pick {
  readonly count: number
  index: number
}

function alternatives(
  m: ScanMachine,
  { value, arms }: Demand,
  outcomes: ReadonlyMap<Deferred, Outcome>,
): ScannedSchema[] {
  const results: ScannedSchema[] = []
  // An odometer over the choices in the order in which they are met; those of the arms are made.
  let picks = new Map(
    arms.map(({ site, arm }): [unknown, Pick] => [site, { count: 1, index: arm }]),
  )
  for (;;) {
    const builder = new Builder(m, outcomes, picks)
    results.push(builder.build(value))
    picks = new Map(picks)
    let last = [...picks.entries()].at(-1)
    while (last !== undefined && last[1].index + 1 >= last[1].count) {
      if (last[1].count === 1) return results
      picks.delete(last[0])
      last = [...picks.entries()].at(-1)
    }
    if (last === undefined) return results
    picks.set(last[0], { count: last[1].count, index: last[1].index + 1 })
    if (results.length >= maxAlternatives) return [tooMany(m, value)]
  }
}

function tooMany(m: ScanMachine, value: Value): ScannedSchema {
  const at = m.project.locate(value.at ?? m.anywhere)
  const why = 'it depends on too many conditions'
  return {
    value: { value: undefined, at, originOf: () => 'literal', locate: () => at },
    holes: [{ path: [], why, at, reported: false }],
  }
}

class Builder {
  readonly #machine: ScanMachine
  readonly #outcomes: ReadonlyMap<Deferred, Outcome>
  readonly #picks: Map<unknown, Pick>
  readonly #holes: SchemaHole[] = []
  readonly #open = new Set<Value>()
  /** Where results of slices were inserted. */
  readonly #sliced: Path[] = []

  constructor(
    machine: ScanMachine,
    outcomes: ReadonlyMap<Deferred, Outcome>,
    picks: Map<unknown, Pick>,
  ) {
    this.#machine = machine
    this.#outcomes = outcomes
    this.#picks = picks
  }

  build(root: Value): ScannedSchema {
    const { project, anywhere } = this.#machine
    const plain = this.#visit(root, [])
    const at = project.locate(root.at ?? anywhere)
    // The choices of this alternative; places are asked for later.
    const picks = new Map([...this.#picks].map(([key, pick]) => [key, pick.index]))
    const locate = (path: Path, what?: 'name'): SourceLocation => {
      const place = placeAt(this.#machine, root, path, { picks, plain, what })
      return place === undefined ? at : project.locate(place)
    }
    const originOf = (path: Path): Origin =>
      this.#sliced.some((one) => overlap(one, path)) ? 'sliced' : 'literal'
    return { value: { value: plain, at, originOf, locate }, holes: this.#holes }
  }

  #visit(given: Value, path: Path): unknown {
    const value = isAnnotation(path) ? anyKnown(given) : this.#choose(given)
    switch (value.kind) {
      case 'primitive':
        if (typeof value.value === 'symbol' || typeof value.value === 'bigint') {
          const isSymbol = typeof value.value === 'symbol'
          return this.#hole(value, path, `it is a ${typeof value.value}`, isSymbol)
        }
        return this.#holdsFolder(value.value, path)
          ? this.#hole(value, path, folderOfMachine)
          : value.value
      case 'object':
      case 'array':
      case 'namespace':
        return this.#nested(value, path)
      case 'deferred':
        return this.#insert(value, path)
      case 'unknown':
        return isAnnotation(path) ? undefined : this.#hole(value, path, value.why)
      case 'function':
      case 'native':
        return this.#hole(value, path, 'it is a function')
      case 'class':
        return this.#hole(value, path, 'it is a class')
      case 'instance':
        return this.#hole(value, path, 'it is a server instance')
      case 'choice':
        return undefined
    }
  }

  #nested(value: Extract<Value, { kind: 'object' | 'array' | 'namespace' }>, path: Path): unknown {
    if (this.#open.has(value)) return this.#hole(value, path, 'it contains itself')
    this.#open.add(value)
    try {
      if (value.kind === 'array') {
        if (value.doubt !== undefined) return this.#hole(value.doubt, path, value.doubt.why)
        // Optional elements that are not there leave no gap.
        const elements = value.elements.filter((element) => this.#choose(element) !== absent)
        return elements.map((element, index) => this.#visit(element, [...path, index]))
      }
      return this.#object(value, path)
    } finally {
      this.#open.delete(value)
    }
  }

  #object(value: Extract<Value, { kind: 'object' | 'namespace' }>, path: Path): unknown {
    const result: Record<string, unknown> = {}
    const changed = this.#machine.deferrals
      .escapesOf(value)
      .find((escape) => this.#mayChange(escape))
    if (changed !== undefined) {
      const call = primitive(undefined, changed.at)
      return this.#hole(call, path, 'a package that it is handed to here changes it')
    }
    const literal = value.kind === 'object' ? this.#machine.literals.untouched(value) : undefined
    if (literal !== undefined && !this.#holdsFolder(literal.value, path)) {
      return structuredClone(literal.value)
    }
    if (value.kind === 'object') {
      if (value.exotic !== undefined) {
        return this.#hole(value, path, 'it depends on the environment')
      }
      if (value.collection !== undefined) {
        const isIterator = value.collection.kind === 'iterator'
        return this.#hole(value, path, isIterator ? 'it is an iterator' : 'it is a map or a set')
      }
      if (value.class !== undefined && path.length > 0) {
        return this.#hole(value, path, `it is an object of the class \`${value.class.name}\``)
      }
      if (value.base !== undefined) {
        const base = this.#visit(value.base, path)
        for (const [name, member] of Object.entries(base ?? {})) define(result, name, member)
      }
    }
    const names = value.kind === 'object' ? [...value.members.keys()] : value.names()
    for (const name of names) {
      if (typeof name !== 'string' || isHidden(value, name)) continue
      const given =
        value.kind === 'object'
          ? memberOf(this.#machine, value, name)
          : (value.read(name) ?? absent)
      const place = [...path, name]
      const member = isAnnotation(place) ? anyKnown(given) : this.#choose(given)
      const before = this.#holes.length
      const plain = member === absent ? undefined : this.#visit(member, place)
      const isMissing =
        member === absent ||
        this.#holes.slice(before).some((hole) => hole.path.length === path.length + 1)
      if (isMissing) delete result[name]
      else define(result, name, plain)
    }
    return result
  }

  #mayChange({ before, after }: Escape): boolean {
    const [first, second] = [this.#outcomes.get(before), this.#outcomes.get(after)]
    return second?.type !== 'plain' || !isDeepStrictEqual(first, second)
  }

  #insert(value: Deferred, path: Path): unknown {
    this.#sliced.push(path)
    let outcome = this.#outcomes.get(value)
    if (outcome?.type === 'failed' && outcome.undecided) {
      outcome = this.#machine.deferrals.plainUnder(value, (choice) => this.#pick(choice))
    }
    if (outcome?.type !== 'plain') {
      const why = outcome?.type === 'failed' ? outcome.why : 'it has no value'
      return this.#hole(value, path, why)
    }
    for (const hole of outcome.holes) {
      const place = [...path, ...hole.path]
      if (hole.isAnnotation && isAnnotation(place)) continue
      this.#hole(value, place, hole.why, hole.isSymbol)
    }
    if (this.#holdsFolder(outcome.value, path)) return this.#hole(value, path, folderOfMachine)
    // Nothing may be shared with another value that the same expression is part of.
    return structuredClone(outcome.value)
  }

  /** Whether the folder of the application is named, which is another one on each machine. */
  #holdsFolder(value: unknown, path: Path): boolean {
    if (typeof value === 'string') {
      return value.includes(this.#machine.project.root) && !isAnnotation(path)
    }
    if (typeof value !== 'object' || value === null) return false
    return Object.entries(value).some(([name, one]) => this.#holdsFolder(one, [...path, name]))
  }

  #hole(value: Value, path: Path, why: string, isSymbol?: boolean): undefined {
    const { project, anywhere } = this.#machine
    const { reported = false, missing }: Partial<Unknown> = value.kind === 'unknown' ? value : {}
    const at = project.locate(missing?.at ?? value.at ?? anywhere)
    this.#holes.push({
      path,
      why,
      at,
      reported,
      missing: missing?.specifier,
      ...(isSymbol && { isSymbol }),
    })
    return undefined
  }

  #choose(value: Value): Value {
    return value.kind === 'choice' ? this.#choose(this.#pick(value)) : value
  }

  /** The option that this alternative is made of. */
  #pick(value: Choice): Value {
    let pick = this.#picks.get(value.key)
    if (pick === undefined) {
      this.#picks.set(value.key, (pick = { count: value.options.length, index: 0 }))
    }
    return value.options[pick.index] ?? absent
  }
}

/** Whether one of two paths leads through the other. */
function overlap(a: Path, b: Path): boolean {
  return a.every((key, index) => index >= b.length || key === b[index])
}

function define(target: Record<string, unknown>, name: string, value: unknown): void {
  // `__proto__` may be the name of a property in a schema.
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function isHidden(owner: Value, name: string): boolean {
  return owner.kind === 'object' && owner.members.get(name)?.hidden === true
}
