/** Marks objects that `Object.freeze`, `Object.seal` or `Object.preventExtensions` restricts. */
import type { Node } from '../../util/source/project.ts'
import type { Machine } from './machine.ts'
import { privateKey } from './properties.ts'
import { mayThrow } from './thrown.ts'
import { primitive, unknown, type Key, type Owner, type Unknown, type Value } from './index.ts'

/** The key of the member that marks such an object: like a private name, nothing lists it. */
const kRestricted = privateKey({ text: 'restricted' })

export function restrict(m: Machine, owner: Value, at: Node): void {
  if (!('members' in owner)) return
  m.journal.setMember(owner, kRestricted, { value: primitive(true, at), at, hidden: true })
}

export function isRestricted({ members }: Pick<Owner, 'members'>): boolean {
  return members.has(kRestricted)
}

/**
 * Makes what is changed unknown. Whether a change is refused depends on the restriction, and whether that throws depends on the
 * code around it. Working applications rarely depend on either.
 */
export function changeRestricted(
  m: Machine,
  owner: Owner,
  key: Key | undefined,
  at: Node,
): Unknown {
  const why = unknown('an object that is frozen, sealed or not extensible is changed here', at)
  mayThrow(m, why, at)
  if (owner.kind === 'array') m.journal.setUncertainty(owner, why)
  else if (key !== undefined) m.journal.setMember(owner, key, { value: why, at })
  return why
}
