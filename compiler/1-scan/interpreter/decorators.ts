/** Evaluates standard decorators. The dialect of TypeScript's `experimentalDecorators` is in `legacy-decorators.ts`. */
import { ts, type Node } from '../../util/source/project.ts'
import { hasModifier, privateNameOf } from '../values/properties.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { isCallable, native, objectOf, primitive, undefinedValue } from '../values/index.ts'
import type { ClassValue, Deferred, ObjectValue, Value } from '../values/index.ts'

type Kind = 'class' | 'method' | 'getter' | 'setter' | 'field' | 'accessor'

/** The part of a member that a decorator gets and may replace. */
const slots: Partial<Record<Kind, 'value' | 'getter' | 'setter'>> = {
  method: 'value',
  getter: 'getter',
  setter: 'setter',
}

/** Decorators by the class, member or parameter that they belong to, in the order of their calls. */
export type Evaluated = ReadonlyMap<Node, readonly Value[]>

/**
 * Evaluates all decorators of a class, before its members are defined.
 *
 * @param deferred gets those of packages
 */
export function evaluateDecorators(
  m: Machine,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
  deferred: Deferred[],
): Evaluated {
  const result = new Map<Node, Value[]>()
  const visit = (one: Node): void => {
    const decorators = ts.canHaveDecorators(one) ? (ts.getDecorators(one) ?? []) : []
    if (decorators.length === 0) return
    const values = decorators.map(({ expression }) => m.evaluate(expression, scope))
    // Decorators of packages aren't followed. They are assumed not to change the class, but other code of the package may know it by them.
    deferred.push(...values.filter((one) => one.kind === 'deferred'))
    const followed = values.filter(({ kind }) => kind === 'function' || kind === 'native')
    result.set(one, followed.toReversed())
  }
  visit(node)
  for (const member of node.members) {
    visit(member)
    if (ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member)) {
      member.parameters.forEach(visit)
    }
  }
  return result
}

export interface Element {
  readonly node: ts.ClassElement
  readonly key: string | symbol
  readonly isStatic: boolean
}

/** Runs decorators in the order of the specification: those of methods before those of fields, and static members before others. */
export function decorateElements(
  m: Machine,
  owner: ClassValue,
  elements: readonly Element[],
  evaluated: Evaluated,
): void {
  const rank = ({ node, isStatic }: Element): number =>
    (kindOf(node) === 'field' ? 2 : 0) + (isStatic ? 0 : 1)
  for (const element of elements.toSorted((a, b) => rank(a) - rank(b))) {
    for (const decorator of evaluated.get(element.node) ?? []) {
      decorateElement(m, owner, element, decorator)
    }
  }
}

function decorateElement(
  m: Machine,
  owner: ClassValue,
  { node, key, isStatic }: Element,
  decorator: Value,
): void {
  const { ofClass, ofObjects, fields } = owner.decorations
  const kind = kindOf(node)
  const target = isStatic ? owner : owner.prototype
  const member = target.members.get(key)
  const field = fields.get(node) ?? { transforms: [], initializers: [] }
  const isField = kind === 'field' || kind === 'accessor'
  if (isField) fields.set(node, field)
  const ofElement = isStatic ? ofClass : ofObjects
  const initializers = kind === 'field' ? field.initializers : ofElement
  const context = contextOf(m, owner, kind, key, isStatic, initializers)
  const slot = slots[kind]
  const decorated = (slot && member?.[slot]) ?? undefinedValue
  const result = m.call(decorator, undefinedValue, [decorated, context], node)
  if (kind === 'accessor' && result.kind === 'object') {
    // Replaced getters and setters of an `accessor` aren't followed.
    const init = m.get(result, primitive('init', node), node)
    if (isCallable(init)) field.transforms.push(init)
  } else if (isCallable(result)) {
    if (isField) field.transforms.push(result)
    else if (member !== undefined && slot !== undefined) {
      m.journal.setMember(target, key, { ...member, [slot]: result })
    }
  }
}

/** Runs class decorators. Returns the class, or its replacement. */
export function decorateClass(
  m: Machine,
  owner: ClassValue,
  decorators: readonly Value[],
  initializers: Value[],
): ClassValue {
  let result = owner
  for (const decorator of decorators) {
    const context = contextOf(m, owner, 'class', owner.name, false, initializers)
    const replacement = m.call(decorator, undefinedValue, [result, context], owner.node)
    if (replacement.kind === 'class') result = replacement
  }
  return result
}

function kindOf(node: ts.ClassElement): Kind {
  if (ts.isGetAccessorDeclaration(node)) return 'getter'
  if (ts.isSetAccessorDeclaration(node)) return 'setter'
  if (!ts.isPropertyDeclaration(node)) return 'method'
  return hasModifier(node, ts.SyntaxKind.AccessorKeyword) ? 'accessor' : 'field'
}

/** Creates the second argument of a decorator. */
function contextOf(
  m: Machine,
  { decorations: { metadata } }: ClassValue,
  kind: Kind,
  key: string | symbol,
  isStatic: boolean,
  initializers: Value[],
): ObjectValue {
  const privateName = privateNameOf(key)
  const addInitializer = native('addInitializer', ({ args: [initializer] }) => {
    if (initializer !== undefined) initializers.push(initializer)
    return undefinedValue
  })
  const get = native('get', ({ args: [owner = undefinedValue], at }) =>
    m.get(owner, primitive(key, at), at),
  )
  return objectOf({
    kind: primitive(kind, undefined),
    name: primitive(privateName ?? key, undefined),
    ...(kind !== 'class' && {
      static: primitive(isStatic, undefined),
      private: primitive(privateName !== undefined, undefined),
      access: objectOf({ get }),
    }),
    addInitializer,
    metadata,
  })
}
