/** States of objects and packages that only the sandbox has. Each state is the list of calls that led to it. */
import { latestNumber, unknown } from './index.ts'
import type { Change, Changeable, Changes, ChoiceKey, Deferred, Unknown } from './index.ts'
import type { Node } from '../../util/source/project.ts'

/** Limit of states that conditions may lead to. With more, the state is unknown. */
const maxStates = 8

export function writeChanges(owner: Changeable, changes: Changes): void {
  owner.earlier.push({ until: latestNumber(), changes: owner.changes })
  owner.changes = changes
}

/** Adds a call. An unknown state stays unknown. */
export function withCall(changes: Changes, by: Deferred, isEffect: boolean): Changes {
  if (isUnknown(changes)) return changes
  if (isSplit(changes)) {
    const options = changes.options.map((one) => withCall(one, by, isEffect))
    return { ...changes, options }
  }
  // One call may be added for several of its operands.
  if (changes?.by === by) return changes
  const change: Change = { by, before: changes, effect: changes?.effect }
  return isEffect ? Object.assign(change, { effect: change }) : change
}

/** Joins the states of several branches. If only calls differ that were made for their result, takes the branch with the fewest. */
export function joinChanges(states: readonly Changes[], at: Node, key: ChoiceKey): Changes {
  const [first, ...others] = states
  if (others.every((one) => effectOf(one) === effectOf(first)))
    return states.reduce((least, one) => (numberOf(one) < numberOf(least) ? one : least))
  const joined: Changes = { kind: 'states', key, options: states }
  return states.find(isUnknown) ?? (count(joined) > maxStates ? unknown(why, at) : joined)
}

function numberOf(changes: Changes): number {
  return isChange(changes) ? changes.by.number : 0
}

const why = 'calls that may change it depend on many conditions'

/** Returns the state after unknown calls, of which some have led here from the state before. */
export function spoilChanges(changes: Changes, cause: Unknown, before: Changes): Changes {
  return effectOf(changes) === effectOf(before) ? changes : cause
}

/** Returns the state that something had when a value was created. */
export function changesAt({ changes, earlier }: Changeable, number: number): Changes {
  const next = earlier.findLastIndex(({ until }) => until < number) + 1
  const state = earlier[next]
  return state === undefined ? changes : state.changes
}

/** Returns the known states of something, one for each outcome of the conditions. */
export function statesOf(changes: Changes): readonly (Change | undefined)[] {
  if (isSplit(changes)) return changes.options.flatMap(statesOf)
  return isUnknown(changes) ? [] : [changes]
}

/** Returns the calls that may have changed something. */
export function callsOn({ changes }: Changeable): readonly Deferred[] {
  const calls: Deferred[] = []
  for (const state of statesOf(changes))
    for (let one = state; one !== undefined; one = one.before) calls.push(one.by)
  return calls
}

/** Returns whether an effect has led to a state. */
export function includesEffect(changes: Change | undefined, effect: Change): boolean {
  let one = changes?.effect
  while (one !== undefined && one.by.number > effect.by.number) one = one.before?.effect
  return one === effect
}

export function isChange(changes: Changes): changes is Change {
  return changes !== undefined && !('kind' in changes)
}

export function isUnknown(changes: Changes): changes is Unknown {
  return changes !== undefined && 'kind' in changes && changes.kind === 'unknown'
}

export function isSplit(changes: Changes): changes is Extract<Changes, { kind: 'states' }> {
  return changes !== undefined && 'kind' in changes && changes.kind === 'states'
}

function effectOf(changes: Changes): Changes {
  return isUnknown(changes) || isSplit(changes) ? changes : changes?.effect
}

function count(changes: Changes): number {
  return isSplit(changes) ? changes.options.reduce((sum, one) => sum + count(one), 0) : 1
}
