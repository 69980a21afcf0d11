/** All cases: each place × each way to fail there × the pace of the code around it × the transport of the request. */
import { ends, type End } from './ends.ts'
import { transports, type Transport } from './exchange.ts'
import { paces, type Pace } from './scene.ts'
import type { Site } from './kinds.ts'
import { sites } from './sites.ts'

export interface Cell {
  readonly site: string
  readonly end: string
  readonly pace: Pace
  readonly transport: Transport
}

export const nameOf = ({ site, end, pace, transport }: Cell): string =>
  `${site} ${end}, ${pace}, ${transport}`

export function endsOf({ can }: Site): ReadonlyMap<string, End> {
  if (can instanceof Map) return can as ReadonlyMap<string, End>
  const able = can as readonly string[]
  return new Map([...ends].filter(([, { needs }]) => needs.every((one) => able.includes(one))))
}

export const cells: readonly Cell[] = [...sites].flatMap(
  ([site, { can, transports: some, ...rest }]) =>
    [...endsOf({ can, ...rest }).keys()].flatMap((end) =>
      paces.flatMap((pace) =>
        transports
          .filter((transport) => some === undefined || some.includes(transport))
          .map((transport) => ({ site, end, pace, transport })),
      ),
    ),
)
