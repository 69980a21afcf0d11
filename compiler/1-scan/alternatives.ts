/** Instances of which an application creates one: `https ? fastify({ https }) : fastify()`. They're one instance if they declare the same. */
import type { ScannedInstance } from '../model/index.ts'
import { exclude } from '../util/branches.ts'
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
  return areEqual({ ...one, root: { ...one.root, at: other.root.at } }, other, new Map())
}

/** Compares data: of known values, only what they are, not where they are written. */
function areEqual(a: unknown, b: unknown, seen: Map<unknown, unknown>): boolean {
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  if (seen.get(a) === b) return true
  seen.set(a, b)
  const isKnownValue = typeof a['locate'] === 'function' && typeof b['locate'] === 'function'
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return (
    Object.getPrototypeOf(a) === Object.getPrototypeOf(b) &&
    names.every(
      (name) =>
        (isKnownValue && ['at', 'locate'].includes(name)) || areEqual(a[name], b[name], seen),
    )
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
