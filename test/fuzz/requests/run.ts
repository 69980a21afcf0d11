/** Splits a number of requests into rounds; the same seed gives the same rounds. */
import type { KnownKind } from '../../parity/known-kinds.ts'
import { runRound, type Failure } from './round.ts'

/** Number of requests to an application: building and starting it takes as long as these. */
const REQUESTS = 2000

export interface Totals {
  readonly requests: number
  readonly applications: number
  readonly known: ReadonlyMap<KnownKind, number>
  readonly failures: readonly Failure[]
}

export interface FuzzOptions {
  /** Minimum number of requests. */
  readonly cases: number
  /** The seed of the first application; the next has the next. */
  readonly seed: number
  /** Number of requests to each application. */
  readonly each?: number
  readonly onRound?: (totals: Totals, failures: readonly Failure[]) => void
}

/** Continues after a failure. */
export async function fuzzRequests({
  cases,
  seed,
  each = Math.min(REQUESTS, cases),
  onRound,
}: FuzzOptions): Promise<Totals> {
  const known = new Map<KnownKind, number>()
  let totals: Totals = { requests: 0, applications: 0, known, failures: [] }
  for (let i = 0; totals.requests < cases; i++) {
    const round = await runRound(seed + i, each)
    for (const [kind, count] of round.known) known.set(kind, (known.get(kind) ?? 0) + count)
    totals = {
      requests: totals.requests + round.requests,
      applications: totals.applications + 1,
      known,
      failures: [...totals.failures, ...round.failures],
    }
    onRound?.(totals, round.failures)
  }
  return totals
}
