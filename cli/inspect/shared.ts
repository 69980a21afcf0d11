/** Lists shared schemas with the references between them and from parts of routes. */
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import type { ExplainedRef, Refs } from './refs.ts'

export interface OverviewSchema {
  readonly id: string
  /** The context that adds it. */
  readonly context: string
  readonly at: string
  readonly schema: unknown
  /** Shared schemas that it refers to directly, as sorted positions in `Overview.schemas`. */
  readonly refersTo: readonly number[]
  readonly referredBy: readonly number[]
  /** Parts of routes that refer to it directly: `POST /books body`. */
  readonly parts: readonly string[]
  /** Number of parts that need it, directly or through other shared schemas. */
  readonly reach: number
}

export interface SharedTable {
  readonly schemas: readonly OverviewSchema[]
  /** Positions of the schemas that a context adds. */
  positionsIn(context: string): readonly number[]
  /** Positions of the schemas that a part refers to directly. */
  referredBy(route: Route, part: string): readonly number[]
}

/** A reference in a shared schema may lead to different schemas from different contexts. `refersTo` contains all of them. */
export function createSharedTable(
  manifest: Manifest,
  refs: Refs,
  routes: readonly Route[],
): SharedTable {
  const rows = manifest.contexts.flatMap(({ context, shared }) =>
    Object.entries(shared).map(([id, { schema, at }]) => ({
      id,
      context,
      at,
      schema: manifest.schemas[schema],
      refersTo: new Set<number>(),
      parts: new Set<string>(),
      reachedBy: new Set<string>(),
    })),
  )
  const keyOf = (context: string, id: string): string => `${context}\n${id}`
  const positions = new Map(rows.map(({ context, id }, i) => [keyOf(context, id), i]))
  const positionOf = ({ context, id }: ExplainedRef): number =>
    positions.get(keyOf(context, id)) as number

  rows.forEach(({ schema, context }, i) => addEdges(refs.from(schema, context), i))
  for (const route of routes) {
    for (const part of Object.keys(route.parts)) {
      const name = `${route.method} ${route.url} ${part}`
      const found = refs.of(route, part)
      addEdges(found, undefined)
      for (const ref of found) {
        const row = rows[positionOf(ref)]
        row?.reachedBy.add(`${name}\n${route.at}`)
        if (ref.within === undefined) row?.parts.add(name)
      }
    }
  }

  return {
    schemas: rows.map(({ refersTo, parts, reachedBy, ...row }, i) => ({
      ...row,
      refersTo: sorted(refersTo),
      referredBy: rows.flatMap((other, j) => (other.refersTo.has(i) ? [j] : [])),
      parts: [...parts],
      reach: reachedBy.size,
    })),
    positionsIn: (context) => rows.flatMap((row, i) => (row.context === context ? [i] : [])),
    referredBy: (route, part) =>
      sorted(
        refs
          .of(route, part)
          .filter(({ within }) => within === undefined)
          .map(positionOf),
      ),
  }

  /** @param start position of the shared schema that the search for references started from; undefined if it was a part */
  function addEdges(found: readonly ExplainedRef[], start: number | undefined): void {
    const holders = new Map(found.map((ref) => [ref.id, positionOf(ref)]))
    for (const ref of found) {
      const from = ref.within === undefined ? start : holders.get(ref.within)
      if (from !== undefined) rows[from]?.refersTo.add(positionOf(ref))
    }
  }
}

function sorted(positions: Iterable<number>): readonly number[] {
  return [...new Set(positions)].sort((a, b) => a - b)
}
