import { isDeepStrictEqual } from 'node:util'

export type Path = readonly string[]

/** A difference between two schemas, such as a value that one accepts and the other rejects. */
export interface Finding {
  /** Member names; `[]` stands for items. */
  readonly path: Path
  /** Usually the keyword that differs. `undeclared`: a member that the other schema doesn't declare, which rejects nothing. */
  readonly keyword: string
  /** From the schema whose values are checked: usually the value of the keyword, or all of an alternative. */
  readonly one: unknown
  /** From the other schema: usually the value of the keyword, or the number of branches. */
  readonly other: unknown
}

export function finding(path: Path, keyword: string, one: unknown, other: unknown): Finding {
  return { path, keyword, one, other }
}

export function isRefusal({ keyword }: Finding): boolean {
  return keyword !== 'undeclared'
}

/** Removes duplicates, which several alternatives may produce. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (one, index) =>
      findings.findIndex(
        ({ path, keyword }) => keyword === one.keyword && isDeepStrictEqual(path, one.path),
      ) === index,
  )
}
