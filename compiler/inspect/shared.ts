/** The shared schemas of an application: which refers to which, and which parts of routes refer to them. */
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import type { ExplainedRef, Refs } from './refs.ts'

export interface OverviewSchema {
  /** Its `$id`. */
  readonly id: string
  /** The context that adds it. */
  readonly context: string
  readonly at: string
  readonly schema: unknown
  /** The shared schemas that it refers to itself, as positions in `Overview.schemas`, sorted. */
  readonly refersTo: readonly number[]
  /** Those that refer to it. */
  readonly referredBy: readonly number[]
  /** The parts of routes that refer to it themselves: `POST /books body`. */
  readonly parts: readonly string[]
  /** How many parts of routes need it, by way of other shared schemas too. */
  readonly reach: number
}

export interface SharedTable {
  readonly schemas: readonly OverviewSchema[]
  /** Of those that a context adds. */
  positionsIn(context: string): readonly number[]
  /** Of those that a part of a route refers to itself. */
  referredBy(route: Route, part: string): readonly number[]
}

/**
 * A reference means what it means where it is used: the same shared schema may refer to different ones from different contexts, and
 * then refers to all of them here.
 */
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

  /** @param start the shared schema in which a reference stands that is within no other one */
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
