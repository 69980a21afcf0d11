import { isDeepStrictEqual } from 'node:util'

export type Path = readonly string[]

/** What one schema allows and the other does not. */
export interface Finding {
  /** Names of members; `[]` for items. */
  readonly path: Path
  /** The keyword that it is about; `undeclared`: a member that the other schema does not speak of, which refuses nothing. */
  readonly keyword: string
  /** What the schema whose values are looked at says. */
  readonly one: unknown
  /** What the schema that refuses them says. */
  readonly other: unknown
}

/** @param one a value, or the alternative that it is about */
export function finding(path: Path, keyword: string, one: unknown, other: unknown): Finding {
  return { path, keyword, one, other }
}

export function isRefusal({ keyword }: Finding): boolean {
  return keyword !== 'undeclared'
}

/** Several alternatives may say the same. */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (one, index) =>
      findings.findIndex(
        ({ path, keyword }) => keyword === one.keyword && isDeepStrictEqual(path, one.path),
      ) === index,
  )
}
