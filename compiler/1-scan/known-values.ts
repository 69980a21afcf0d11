/**
 * Turns values into plain data, such as the schemas of routes. A value that depends on a condition of the running application
 * becomes several alternatives. What isn't known is left out and listed as a hole.
 */
import type { ScannedSchema } from '../model/index.ts'
import type { Deferred, Value } from './values/index.ts'
import type { Branch } from './values/machine.ts'
import type { ScanMachine } from './machine.ts'
import { namesOf, PlainDataBuilder, readMember, type Picks } from './plain-data-builder.ts'
import type { Outcome } from '../sandbox/protocol.ts'

export interface EvaluationRequest {
  readonly value: Value
  readonly branches: readonly Branch[]
}

type Alternative = Omit<ScannedSchema, 'branches'> & { readonly branches: readonly Branch[] }

/** Values with more combinations of conditions are reported. */
const maxAlternatives = 64

/** Returns the alternatives of each value. The sandbox computes all deferred parts in one batch, except those that depend on conditions. */
export function evaluateAll(
  m: ScanMachine,
  requests: readonly EvaluationRequest[],
): Alternative[][] {
  const deferred = new Set<Deferred>()
  const seen = new Set<Value>()
  for (const { value } of requests) collectDeferred(value)
  const list = [...deferred]
  const results = m.deferrals.plain(list)
  const outcomes = new Map(list.map((one, index) => [one, results[index] as Outcome]))
  return requests.map((request) => alternatives(m, request, outcomes))

  function collectDeferred(value: Value): void {
    if (seen.has(value)) return
    seen.add(value)
    for (const { before, after } of m.deferrals.externalMutationsOf(value))
      deferred.add(before).add(after)
    if (value.kind === 'deferred') deferred.add(value)
    else if (value.kind === 'array') value.elements.forEach(collectDeferred)
    else if (value.kind === 'choice') value.options.forEach(collectDeferred)
    else if (value.kind === 'namespace' || value.kind === 'object') {
      if (value.kind === 'object' && value.base !== undefined) collectDeferred(value.base)
      for (const name of namesOf(value)) collectDeferred(readMember(m, value, name))
    }
  }
}

function alternatives(
  m: ScanMachine,
  { value, branches }: EvaluationRequest,
  outcomes: ReadonlyMap<Deferred, Outcome>,
): Alternative[] {
  const results: Alternative[] = []
  // An odometer over the choices, in the order in which they are met. Those of the request are fixed.
  const picks: Picks = new Map(
    branches.map(({ condition, index }) => [condition, { count: 1, index }]),
  )
  for (;;) {
    const built = new PlainDataBuilder(m, outcomes, picks).build(value)
    const taken = [...picks].map(([condition, { index }]) => ({ condition, index }))
    results.push({ ...built, branches: taken })
    let last = [...picks.entries()].at(-1)
    while (last !== undefined && last[1].index + 1 >= last[1].count) {
      // Only fixed choices are left.
      if (last[1].count === 1) return results
      picks.delete(last[0])
      last = [...picks.entries()].at(-1)
    }
    if (last === undefined) return results
    picks.set(last[0], { count: last[1].count, index: last[1].index + 1 })
    if (results.length >= maxAlternatives) return [tooMany(m, value, branches)]
  }
}

function tooMany(m: ScanMachine, value: Value, branches: readonly Branch[]): Alternative {
  const at = m.project.locate(value.at ?? m.entryFile)
  const why = 'it depends on too many conditions'
  return {
    value: { value: undefined, at, origins: [], locate: () => at },
    holes: [{ path: [], why, at, reported: false }],
    branches,
  }
}
