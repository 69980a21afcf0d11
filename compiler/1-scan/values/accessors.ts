/** Getters and setters of properties. */
import { ts } from '../project.ts'
import { undefinedValue, type Member, type ObjectValue, type Value } from './index.ts'

/** Returns the member of a getter or setter, keeping the other one of the pair if it exists already. */
export function accessor(node: ts.AccessorDeclaration, method: Value, known?: Member): Member {
  const other = known?.getter === undefined && known?.setter === undefined ? undefined : known
  const own = ts.isGetAccessorDeclaration(node) ? { getter: method } : { setter: method }
  return { value: undefinedValue, at: node, getter: other?.getter, setter: other?.setter, ...own }
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === kind) === true
  )
}

/** Returns the own or inherited accessor of a property. */
export function accessorOf(owner: Value, key: string | symbol): Member | undefined {
  for (let one: Value | undefined = owner; one !== undefined; one = inheritedFrom(one)) {
    const member = 'members' in one ? one.members.get(key) : undefined
    if (member === undefined) continue
    return member.getter === undefined && member.setter === undefined ? undefined : member
  }
  return undefined
}

function inheritedFrom(value: Value): Value | undefined {
  if (value.kind === 'object') return value.proto
  return value.kind === 'class' ? value.parent : undefined
}

/** Returns whether writing the property calls the inherited `__proto__` setter. */
export function setsPrototype({ members, proto }: ObjectValue, key: string | symbol): boolean {
  const inheritsNothing = proto?.kind === 'primitive' && proto.value === null
  return key === '__proto__' && !members.has(key) && !inheritsNothing
}
