/** Calls of functions and methods, `super(…)`, `import(…)` and `new`. */
import { ts, type Node } from '../../util/source/project.ts'
import { promiseOf } from '../builtins/promises.ts'
import { spreadArguments } from '../builtins/lists/iteration.ts'
import { initializeFields, initializeParent } from './classes.ts'
import {
  endsChain,
  innerExpression,
  isMember,
  isSuper,
  keyOf,
  readMember,
  superMember,
} from './member-access.ts'
import type { MemberExpression } from './member-access.ts'
import { forEachOption } from '../values/conditions.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { optionsOf } from '../values/choices.ts'
import { undefinedValue, unknown, type Value } from '../values/index.ts'

export function evaluateCall(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const target = unwrap(node.expression)
  if (target.kind === ts.SyntaxKind.ImportKeyword) return evaluateImport(m, node, scope)
  if (target.kind === ts.SyntaxKind.SuperKeyword) return evaluateSuperCall(m, node, scope)
  if (isMember(target)) return evaluateMethodCall(m, node, target, scope)
  const callee = m.evaluate(node.expression, scope)
  if (endsChain(node, callee)) return undefinedValue
  return m.call(callee, undefinedValue, evaluateArguments(m, node, scope), node)
}

function evaluateMethodCall(
  m: Machine,
  node: ts.CallExpression,
  target: MemberExpression,
  scope: Scope,
): Value {
  const { thisValue = undefinedValue } = scope.frame
  const object = isSuper(target) ? thisValue : m.evaluate(target.expression, scope)
  if (endsChain(node, object)) return undefinedValue
  const key = keyOf(m, target, scope)
  const callMethod = (owner: Value, args: () => Value[]): Value => {
    if (endsChain(node, owner)) return undefinedValue
    if (owner.kind === 'deferred') return m.external.callMethod(owner, key, args(), node)
    const callee = isSuper(target)
      ? superMember(m, key, target, scope)
      : readMember(m, owner, key, target)
    if (endsChain(node, callee)) return undefinedValue
    reportUnknownMethod(m, owner, key, callee, target)
    return m.call(callee, owner, args(), node)
  }
  if (object.kind !== 'choice') return callMethod(object, () => evaluateArguments(m, node, scope))
  const args = evaluateArguments(m, node, scope)
  return forEachOption(m, object, node, (owner) => callMethod(owner, () => args))
}

/** Reports `app[method](…)` with an unknown name, which may declare a route. */
function reportUnknownMethod(m: Machine, owner: Value, key: Value, callee: Value, at: Node): void {
  if (owner.kind !== 'instance' || key.kind === 'primitive') return
  for (const one of optionsOf(callee)) {
    if (one.kind === 'unknown') {
      m.reportUnknown('AOT_ROUTE_NOT_STATIC', at, { ...one, at }, 'method', one.why)
    }
  }
}

function evaluateArguments(
  m: Machine,
  node: ts.CallExpression | ts.NewExpression,
  scope: Scope,
): Value[] {
  return (node.arguments ?? []).flatMap((argument) => {
    if (!ts.isSpreadElement(argument)) return [m.evaluate(argument, scope)]
    const spread = m.evaluate(argument.expression, scope)
    return spreadArguments(spread, m.iterate(spread, argument), argument)
  })
}

function evaluateImport(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const argument = node.arguments[0]
  const specifier = argument === undefined ? undefinedValue : m.known(m.evaluate(argument, scope))
  const load = (): Value => m.modules.importDynamically(specifier, scope.file, node)
  return promiseOf(m, load, node)
}

function evaluateSuperCall(m: Machine, node: ts.CallExpression, scope: Scope): Value {
  const { home, thisValue } = scope.frame
  if (home === undefined || thisValue?.kind !== 'object') {
    return unknown('`super()` is called outside of a constructor', node)
  }
  initializeParent(m, home, thisValue, evaluateArguments(m, node, scope), node)
  initializeFields(m, home, thisValue)
  return thisValue
}

export function evaluateNew(m: Machine, node: ts.NewExpression, scope: Scope): Value {
  const callee = m.evaluate(node.expression, scope)
  return m.construct(callee, evaluateArguments(m, node, scope), node)
}

function unwrap(node: ts.Expression): ts.Expression {
  const wrapped = innerExpression(node)
  return wrapped === undefined ? node : unwrap(wrapped)
}
