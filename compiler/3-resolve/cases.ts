/** The cases of a context whose shared schemas depend on conditions. */
import type { Branches, OnDiagnostic, SharedSchema } from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { exclude } from '../util/branches.ts'

interface Case {
  readonly schemas: readonly SharedSchema[]
  readonly branches: Branches
}

/** Limits the compilers that a build creates: each case gets its own. */
const maxCases = 64

/** Returns the cases in which a context has different shared schemas by the same `$id`. A schema without an alternative makes no case, even if it is added under a condition. */
export function casesOf(schemas: readonly SharedSchema[], report: OnDiagnostic): readonly Case[] {
  const alternatives = schemas.filter((one) => schemas.some((other) => isAlternative(one, other)))
  let cases: readonly Branches[] = [[]]
  for (const [condition, outcomes] of outcomesOf(alternatives)) {
    cases = cases.flatMap((branches) =>
      [...outcomes].map((index) => [...branches, { condition, index }]),
    )
    if (cases.length > maxCases) {
      const [{ at }] = alternatives as [SharedSchema]
      const why = 'it depends on too many conditions'
      report(diagnostic('AOT_SCHEMA_NOT_STATIC', at, 'shared schema', why))
      return [{ schemas, branches: [] }]
    }
  }
  const found = new Map<string, Case>()
  for (const branches of cases) {
    const present = schemas.filter((one) => !exclude(one.branches, branches))
    const key = present.map((one) => schemas.indexOf(one)).join()
    const same = found.get(key)
    const common = same?.branches.filter((one) => !exclude([one], branches)) ?? branches
    found.set(key, { schemas: present, branches: common })
  }
  return [...found.values()]
}

function isAlternative(one: SharedSchema, other: SharedSchema): boolean {
  return one !== other && one.id === other.id
}

function outcomesOf(schemas: readonly SharedSchema[]): ReadonlyMap<number, ReadonlySet<number>> {
  const outcomes = new Map<number, Set<number>>()
  for (const { condition, index } of schemas.flatMap(({ branches }) => branches)) {
    outcomes.set(condition, (outcomes.get(condition) ?? new Set()).add(index))
  }
  return outcomes
}
