/** Classes and their instances. */
import { ts, type Node } from '../../util/source/project.ts'
import { accessor, hasModifier } from '../values/properties.ts'
import { resultOf } from './completions.ts'
import { runBody } from './awaits.ts'
import { bindParameters } from './patterns.ts'
import { decorateClass, decorateElements, evaluateDecorators } from './decorators.ts'
import type { Element, Evaluated } from './decorators.ts'
import { decorateLegacyClass, decorateLegacyElements } from './legacy-decorators.ts'
import { propertyKey } from './literals.ts'
import type { Machine } from '../values/machine.ts'
import { Scope } from '../values/scope.ts'
import { array, object, undefinedValue, unknown } from '../values/index.ts'
import type { ClassValue, Decorations, Deferred, ObjectValue, Value } from '../values/index.ts'

export function defineClass(m: Machine, node: ts.ClassLikeDeclaration, outer: Scope): ClassValue {
  const heritage = node.heritageClauses?.find(
    (clause) => clause.token === ts.SyntaxKind.ExtendsKeyword,
  )?.types[0]
  const parent = heritage === undefined ? undefined : m.evaluate(heritage.expression, outer)
  const scope = outer.child()
  const deferred: Deferred[] = []
  const evaluated = evaluateDecorators(m, node, scope, deferred)
  const result: ClassValue = {
    kind: 'class',
    node,
    scope,
    parent,
    prototype: object(node, {
      proto: parent?.kind === 'class' ? parent.prototype : inheritedOf(parent, node),
    }),
    decorations: {
      metadata: object(node, {
        proto: parent?.kind === 'class' ? parent.decorations.metadata : undefined,
      }),
      ofObjects: [],
      ofClass: [],
      fields: new Map(),
    },
    members: new Map(),
    name: node.name?.text ?? '',
    at: node,
  }
  if (node.name !== undefined) scope.declare(node.name.text, result)
  result.prototype.members.set('constructor', { value: result, at: node, hidden: true })
  for (const member of node.members) defineMember(m, result, member, scope)
  // The sandbox decorates the class when it makes it.
  for (const decorator of deferred)
    m.deferrals.effect('(decorator, decorated) => decorated', [decorator, result], node)
  if (evaluated.size === 0) {
    for (const member of node.members) runStatic(m, result, member, scope)
    return result
  }
  const declared = decorate(m, result, evaluated, scope)
  if (declared !== result && node.name !== undefined) scope.declare(node.name.text, declared)
  return declared
}

/** Runs decorators and static members. Returns the class, or its replacement. */
function decorate(m: Machine, owner: ClassValue, evaluated: Evaluated, scope: Scope): ClassValue {
  const elements = owner.node.members.flatMap((node): Element[] => {
    if (node.name === undefined) return []
    const key = memberKey(m, node.name, scope)
    const isStatic = hasModifier(node, ts.SyntaxKind.StaticKeyword)
    return key === undefined ? [] : [{ node, key, isStatic }]
  })
  if (m.modules.hasLegacyDecorators(scope.file)) {
    for (const member of owner.node.members) runStatic(m, owner, member, scope)
    decorateLegacyElements(m, owner, elements, evaluated)
    return decorateLegacyClass(m, owner, evaluated)
  }
  const { metadata, ofClass } = owner.decorations
  decorateElements(m, owner, elements, evaluated)
  const initializers: Value[] = []
  const declared = decorateClass(m, owner, evaluated.get(owner.node) ?? [], initializers)
  const key = metadataKey(scope)
  if (key !== undefined) declared.members.set(key, { value: metadata, at: owner.node })
  for (const initializer of ofClass) m.call(initializer, declared, [], owner.node)
  for (const member of owner.node.members) runStatic(m, declared, member, scope, owner)
  for (const initializer of initializers) m.call(initializer, declared, [], owner.node)
  return declared
}

/** Returns `Symbol.metadata` if the application has added it: Node lacks it. */
function metadataKey(scope: Scope): symbol | undefined {
  const global = scope.find('Symbol')?.value
  const key = global?.kind === 'native' ? global.members.get('metadata')?.value : undefined
  return key?.kind === 'primitive' && typeof key.value === 'symbol' ? key.value : undefined
}

/** Returns the unknown prototype of a class from outside of the source; `undefined` for a built-in class. */
function inheritedOf(parent: Value | undefined, at: Node): Value | undefined {
  if (parent === undefined || parent.kind === 'primitive' || parent.kind === 'native') {
    return undefined
  }
  return unknown('it is inherited from a class that is not in the source', at)
}

function defineMember(m: Machine, owner: ClassValue, member: ts.ClassElement, scope: Scope): void {
  if (member.name === undefined || !('body' in member) || member.body === undefined) return
  if (!ts.isMethodDeclaration(member) && !ts.isAccessor(member)) return
  const isStatic = hasModifier(member, ts.SyntaxKind.StaticKeyword)
  const key = memberKey(m, member.name, scope)
  if (key === undefined) return
  const method = m.closure(member, scope, { home: owner, isStatic })
  const target = isStatic ? owner : owner.prototype
  target.members.set(
    key,
    ts.isMethodDeclaration(member)
      ? { value: method, at: member, hidden: true }
      : { ...accessor(member, method, target.members.get(key)), hidden: true },
  )
}

function memberKey(m: Machine, name: ts.PropertyName, scope: Scope): string | symbol | undefined {
  const key = propertyKey(m, name, scope)
  return typeof key === 'object' ? undefined : key
}

function runStatic(
  m: Machine,
  owner: ClassValue,
  member: ts.ClassElement,
  scope: Scope,
  { decorations }: ClassValue = owner,
): void {
  const inner = new Scope(scope, scope.file, { thisValue: owner, home: owner, isStatic: true })
  if (ts.isClassStaticBlockDeclaration(member)) {
    resultOf(runBody(m, member.body, inner), member.body)
  } else if (ts.isPropertyDeclaration(member) && hasModifier(member, ts.SyntaxKind.StaticKeyword)) {
    setField(m, member, decorations, owner, inner)
  }
}

/** Sets a field. Decorators may change its value. */
function setField(
  m: Machine,
  member: ts.PropertyDeclaration,
  { fields }: Decorations,
  target: ClassValue | ObjectValue,
  scope: Scope,
): void {
  const key = memberKey(m, member.name, scope)
  if (key === undefined) return
  let value = member.initializer ? m.evaluate(member.initializer, scope) : undefinedValue
  const { transforms = [], initializers = [] } = fields.get(member) ?? {}
  for (const transform of transforms) value = m.call(transform, target, [value], member)
  m.journal.setMember(target, key, { value, at: member })
  for (const initializer of initializers) m.call(initializer, target, [], member)
}

/** Runs constructors on a new object. Returns the object that a constructor returns instead. */
export function initialize(
  m: Machine,
  owner: ClassValue,
  created: ObjectValue,
  args: readonly Value[],
  at: Node,
): Value | undefined {
  const constructor = owner.node.members.find(
    (member): member is ts.ConstructorDeclaration =>
      ts.isConstructorDeclaration(member) && member.body !== undefined,
  )
  if (constructor?.body === undefined) {
    if (owner.parent !== undefined) initializeParent(m, owner, created, args, at)
    initializeFields(m, owner, created)
    return undefined
  }
  const scope = new Scope(owner.scope, owner.scope.file, {
    thisValue: created,
    home: owner,
    newTarget: created.class ?? owner,
  })
  scope.declare('arguments', array([...args], at))
  if (owner.parent === undefined) initializeFields(m, owner, created)
  bindParameters(m, constructor, args, scope)
  declareProperties(m, constructor, created, scope)
  const result = resultOf(runBody(m, constructor.body, scope), constructor.body)
  return 'members' in result ? result : undefined
}

/** Runs `super(...args)` of a constructor of `owner`. */
export function initializeParent(
  m: Machine,
  owner: ClassValue,
  created: ObjectValue,
  args: readonly Value[],
  at: Node,
): void {
  const { parent } = owner
  if (parent?.kind === 'class') initialize(m, parent, created, args, at)
  else if (parent?.kind === 'native' && parent.construct !== undefined) {
    // The contents of a map, a set or an error become those of the new object.
    const base = parent.construct({ thisValue: created, args: [...args], at })
    if (base.kind === 'object') {
      for (const [key, member] of base.members) m.journal.setMember(created, key, member)
      created.collection = base.collection
    } else created.base = unknown('the build cannot evaluate its built-in base class', at)
  } else if (parent !== undefined && parent.kind !== 'native' && parent.kind !== 'primitive') {
    created.base = unknown('it is set by a class that is not in the source', at)
  }
}

/** Sets fields, before the constructor's body or after `super()`. */
export function initializeFields(m: Machine, owner: ClassValue, created: ObjectValue): void {
  const scope = new Scope(owner.scope, owner.scope.file, { thisValue: created, home: owner })
  for (const initializer of owner.decorations.ofObjects)
    m.call(initializer, created, [], owner.node)
  for (const member of owner.node.members) {
    if (!ts.isPropertyDeclaration(member)) continue
    if (hasModifier(member, ts.SyntaxKind.StaticKeyword)) continue
    if (hasModifier(member, ts.SyntaxKind.DeclareKeyword)) continue
    setField(m, member, owner.decorations, created, scope)
  }
}

/** `constructor(private readonly app: App)` sets `this.app`. */
function declareProperties(
  m: Machine,
  constructor: ts.ConstructorDeclaration,
  created: ObjectValue,
  scope: Scope,
): void {
  for (const parameter of constructor.parameters) {
    if (!ts.isParameterPropertyDeclaration(parameter, constructor)) continue
    if (!ts.isIdentifier(parameter.name)) continue
    const value = scope.own(parameter.name.text)?.value ?? undefinedValue
    m.journal.setMember(created, parameter.name.text, { value, at: parameter })
  }
}
