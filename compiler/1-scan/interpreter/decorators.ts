import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { hasModifier } from '../values/accessors.ts'
import { privateNameOf } from '../values/names.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { isCallable, native, object, primitive, undefinedValue } from '../values/index.ts'
import type { ClassValue, Decorations, Member, ObjectValue, Value } from '../values/index.ts'

/** Decorators of the language, as the standard has them. `legacy-decorators.ts` has the older dialect. */

type Kind = 'class' | 'method' | 'getter' | 'setter' | 'field' | 'accessor'

/** Values of decorators by what they stand on, in the order of the source. */
export type Evaluated = ReadonlyMap<Node, readonly Value[]>

/** Evaluates all decorators of a class, which happens before anything of it is defined. */
export function evaluateDecorators(
  m: Machine,
  node: ts.ClassLikeDeclaration,
  scope: Scope,
): Evaluated {
  const result = new Map<Node, Value[]>()
  const visit = (one: Node): void => {
    const decorators = ts.canHaveDecorators(one) ? (ts.getDecorators(one) ?? []) : []
    if (decorators.length === 0) return
    result.set(
      one,
      decorators.map(({ expression }) => m.evaluate(expression, scope)),
    )
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

/** What a package brings is not followed: decorators of packages are taken to leave the class as it is. */
export function isFollowed(decorator: Value): boolean {
  return decorator.kind === 'function' || decorator.kind === 'native'
}

/** Where a decorated element is, by its key. */
export interface Element {
  readonly node: ts.ClassElement
  readonly key: string | symbol
  readonly isStatic: boolean
}

/** Methods before fields, and of each kind those of the class before those of its objects. */
export function decorateElements(
  m: Machine,
  owner: ClassValue,
  elements: readonly Element[],
  evaluated: Evaluated,
): void {
  const rank = ({ node, isStatic }: Element): number =>
    (kindOf(node) === 'field' ? 2 : 0) + (isStatic ? 0 : 1)
  for (const element of elements.toSorted((a, b) => rank(a) - rank(b))) {
    // The one that stands next to the element comes first.
    for (const decorator of (evaluated.get(element.node) ?? []).toReversed()) {
      if (isFollowed(decorator)) decorateElement(m, owner, element, decorator)
    }
  }
}

function decorateElement(
  m: Machine,
  owner: ClassValue,
  { node, key, isStatic }: Element,
  decorator: Value,
): void {
  const { decorations } = owner
  const kind = kindOf(node)
  const target = isStatic ? owner : owner.prototype
  const member = target.members.get(key)
  const field = kind === 'field' || kind === 'accessor' ? fieldOf(decorations, node) : undefined
  const initializers =
    kind === 'field' && field !== undefined
      ? field.initializers
      : isStatic
        ? decorations.ofClass
        : decorations.ofObjects
  const context = contextOf(m, kind, key, isStatic, decorations, initializers)
  const result = m.call(decorator, undefinedValue, [decorated(kind, member), context], node)
  if (kind === 'accessor' && field !== undefined && result.kind === 'object') {
    const init = m.get(result, primitive('init', node), node)
    if (isCallable(init)) field.transforms.push(init)
  } else if (isCallable(result)) {
    if (field !== undefined) field.transforms.push(result)
    else if (member !== undefined) {
      const changed: Partial<Member> =
        kind === 'getter'
          ? { getter: result }
          : kind === 'setter'
            ? { setter: result }
            : { value: result }
      m.journal.setMember(target, key, { ...member, ...changed })
    }
  }
}

/** The class that is declared: what the last decorator that gives another one has given. */
export function decorateClass(
  m: Machine,
  owner: ClassValue,
  decorators: readonly Value[],
): ClassValue {
  const initializers: Value[] = []
  let result = owner
  for (const decorator of decorators.toReversed()) {
    if (!isFollowed(decorator)) continue
    const context = contextOf(m, 'class', owner.name, false, owner.decorations, initializers)
    const given = m.call(decorator, undefinedValue, [result, context], owner.node)
    if (given.kind === 'class') result = given
  }
  owner.decorations.afterStatics.push(...initializers)
  return result
}

function kindOf(node: ts.ClassElement): Kind {
  if (ts.isGetAccessorDeclaration(node)) return 'getter'
  if (ts.isSetAccessorDeclaration(node)) return 'setter'
  if (!ts.isPropertyDeclaration(node)) return 'method'
  return hasModifier(node, ts.SyntaxKind.AccessorKeyword) ? 'accessor' : 'field'
}

function decorated(kind: Kind, member: Member | undefined): Value {
  if (kind === 'method') return member?.value ?? undefinedValue
  if (kind === 'getter') return member?.getter ?? undefinedValue
  if (kind === 'setter') return member?.setter ?? undefinedValue
  return undefinedValue
}

function fieldOf(
  { fields }: Decorations,
  node: ts.ClassElement,
): { transforms: Value[]; initializers: Value[] } {
  let field = fields.get(node)
  if (field === undefined) fields.set(node, (field = { transforms: [], initializers: [] }))
  return field
}

/** The second argument of a decorator. */
function contextOf(
  m: Machine,
  kind: Kind,
  key: string | symbol,
  isStatic: boolean,
  { metadata }: Decorations,
  initializers: Value[],
): ObjectValue {
  const context = object(undefined)
  const set = (name: string, value: Value): void =>
    void context.members.set(name, { value, at: undefined })
  set('kind', primitive(kind, undefined))
  set('name', primitive(privateNameOf(key) ?? key, undefined))
  if (kind !== 'class') {
    set('static', primitive(isStatic, undefined))
    set('private', primitive(privateNameOf(key) !== undefined, undefined))
    const access = object(undefined)
    const get = native('get', ({ args, at }) =>
      m.get(args[0] ?? undefinedValue, primitive(key, at), at),
    )
    access.members.set('get', { value: get, at: undefined })
    set('access', access)
  }
  const add = native('addInitializer', ({ args }) => {
    const [initializer] = args
    if (initializer !== undefined) initializers.push(initializer)
    return undefinedValue
  })
  set('addInitializer', add)
  set('metadata', metadata)
  return context
}
