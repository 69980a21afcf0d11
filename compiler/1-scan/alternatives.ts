/** Instances of which an application creates one: `https ? fastify({ https }) : fastify()`. They're one instance if they declare the same. */
import type { ScannedInstance } from '../model/index.ts'
import { exclude } from '../util/branches.ts'
import { areSame } from '../util/same-declarations.ts'
import type { ContextRecord } from './values/contexts.ts'

export interface Candidate {
  readonly record: ContextRecord
  readonly scanned: ScannedInstance
}

/** Leaves out instances that exist only where an earlier one doesn't, and declare what that declares. */
export function withoutAlternatives(all: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = []
  for (const one of all)
    if (
      !kept.some(
        (other) => exclude(one.record.branches, other.record.branches) && isSame(one, other),
      )
    )
      kept.push(one)
  return kept
}

/** The calls of the factory are at different places. */
function isSame({ scanned: one }: Candidate, { scanned: other }: Candidate): boolean {
  return areSame({ ...one, root: { ...one.root, at: other.root.at } }, other)
}
