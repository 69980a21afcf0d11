/** Evaluates expressions. Types are ignored. */
import { ts } from '../../util/source/project.ts'
import { awaitInPlace } from '../builtins/promises.ts'
import { evaluateAssignment, evaluateUpdate, isAssignment, isUpdate } from './assignments.ts'
import { evaluateMember, innerExpression, isMember, keyOf } from './member-access.ts'
import { refine, branchOn, forEachOption } from '../values/conditions.ts'
import { evaluateBinary, evaluateUnary } from './operators.ts'
import {
  appendAll,
  evaluateArrayLiteral,
  evaluateObjectLiteral,
  evaluateTemplate,
} from './literals.ts'
import { evaluateCall, evaluateNew } from './calls.ts'
import { defineClass } from './classes.ts'
import type { Machine } from '../values/machine.ts'
import { memberName } from '../values/properties.ts'
import { readBinding, type Scope } from '../values/scope.ts'
import { hole, primitive, undefinedValue, unknown, type Value } from '../values/index.ts'

export function evaluate(m: Machine, node: ts.Expression, scope: Scope): Value {
  const early = scope.frame.early?.get(node)
  if (early !== undefined) return refine(m, early)
  m.budget.spend(node)
  m.budget.nesting++
  try {
    const value = refine(m, evaluateAny(m, node, scope))
    // A called function may read all of an argument.
    if (ts.isCallExpression(node.parent)) m.generators.readDeeply(value)
    else m.generators.read(value)
    return value
  } finally {
    m.budget.nesting--
  }
}

function evaluateAny(m: Machine, node: ts.Expression, scope: Scope): Value {
  if (ts.isIdentifier(node)) return evaluateIdentifier(m, node, scope)
  if (ts.isStringLiteralLike(node)) return primitive(node.text, node)
  if (ts.isNumericLiteral(node)) return primitive(Number(node.text), node)
  if (isMember(node)) return evaluateMember(m, node, scope)
  // The left side of `#name in object`.
  if (ts.isPrivateIdentifier(node)) return memberName(node)
  if (ts.isObjectLiteralExpression(node)) return evaluateObjectLiteral(m, node, scope)
  if (ts.isArrayLiteralExpression(node)) return evaluateArrayLiteral(m, node, scope)
  if (ts.isCallExpression(node)) return evaluateCall(m, node, scope)
  if (ts.isNewExpression(node)) return evaluateNew(m, node, scope)
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return m.closure(node, scope)
  if (ts.isClassExpression(node)) return defineClass(m, node, scope)
  if (ts.isTemplateExpression(node)) return evaluateTemplate(m, node, scope)
  if (ts.isTaggedTemplateExpression(node)) return evaluateTagged(m, node, scope)
  if (ts.isBinaryExpression(node)) {
    return isAssignment(node) ? evaluateAssignment(m, node, scope) : evaluateBinary(m, node, scope)
  }
  if (ts.isConditionalExpression(node)) return evaluateConditional(m, node, scope)
  if (isUpdate(node)) return evaluateUpdate(m, node, scope)
  if (ts.isPrefixUnaryExpression(node)) return evaluateUnary(m, node, scope)
  if (ts.isTypeOfExpression(node)) return evaluateTypeof(m, node, scope)
  if (ts.isAwaitExpression(node)) return awaitInPlace(m, evaluate(m, node.expression, scope), node)
  if (ts.isYieldExpression(node)) return evaluateYield(m, node, scope)
  if (ts.isVoidExpression(node)) {
    evaluate(m, node.expression, scope)
    return primitive(undefined, node)
  }
  if (ts.isDeleteExpression(node)) return evaluateDelete(m, node, scope)
  if (ts.isMetaProperty(node)) return evaluateMetaProperty(m, node, scope)
  const wrapped = innerExpression(node)
  return wrapped === undefined ? evaluateToken(m, node, scope) : evaluate(m, wrapped, scope)
}

function evaluateToken(m: Machine, node: ts.Expression, scope: Scope): Value {
  switch (node.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return primitive(true, node)
    case ts.SyntaxKind.FalseKeyword:
      return primitive(false, node)
    case ts.SyntaxKind.NullKeyword:
      return primitive(null, node)
    case ts.SyntaxKind.ThisKeyword:
      return scope.frame.thisValue ?? undefinedValue
    case ts.SyntaxKind.OmittedExpression:
      return hole
    case ts.SyntaxKind.BigIntLiteral:
      return primitive(BigInt((node as ts.BigIntLiteral).text.slice(0, -1)), node)
    case ts.SyntaxKind.RegularExpressionLiteral:
      return m.deferrals.regularExpression((node as ts.RegularExpressionLiteral).text, node)
    default:
      return unknown('the build cannot evaluate this kind of expression', node)
  }
}

function evaluateIdentifier(m: Machine, node: ts.Identifier, scope: Scope): Value {
  const binding = scope.find(node.text)
  if (binding === undefined) {
    if (node.text === 'undefined') return primitive(undefined, node)
    return unknown(`\`${node.text}\` is not declared in the source`, node)
  }
  m.generators.read(binding)
  return (
    readBinding(binding) ?? unknown(`\`${node.text}\` is used before its declaration has run`, node)
  )
}

function evaluateConditional(m: Machine, node: ts.ConditionalExpression, scope: Scope): Value {
  const condition = evaluate(m, node.condition, scope)
  return branchOn(m, condition, node, (outcome) =>
    evaluate(m, outcome ? node.whenTrue : node.whenFalse, scope),
  )
}

function evaluateTypeof(m: Machine, node: ts.TypeOfExpression, scope: Scope): Value {
  if (ts.isIdentifier(node.expression) && scope.find(node.expression.text) === undefined) {
    return primitive('undefined', node)
  }
  return forEachOption(m, evaluate(m, node.expression, scope), node, (value) => {
    const type = m.typeOf(value)
    return type === undefined
      ? unknown('the type of this value depends on the run', node)
      : primitive(type, node)
  })
}

function evaluateTagged(m: Machine, node: ts.TaggedTemplateExpression, scope: Scope): Value {
  const tag = evaluate(m, node.tag, scope)
  if (tag.kind === 'unknown') return tag
  const { template } = node
  const isPlain = ts.isNoSubstitutionTemplateLiteral(template)
  const spans = isPlain ? [] : template.templateSpans
  const values = spans.map((span) => evaluate(m, span.expression, scope))
  const texts = [isPlain ? template : template.head, ...spans.map((span) => span.literal)]
  // A template of the same source, so that the tag gets its texts with and without escapes processed.
  const source = texts
    .map((part) => part.rawText)
    .reduce((all, raw, i) => `${all}\${values[${i - 1}]}${raw}`)
  const code = `(tag, ...values) => tag\`${source}\``
  return m.deferrals.code(code, [tag, ...values], node)
}

function evaluateYield(m: Machine, node: ts.YieldExpression, scope: Scope): Value {
  const value = node.expression === undefined ? undefinedValue : evaluate(m, node.expression, scope)
  const { waitsAfterYield = false, yields } = scope.frame
  if (yields === undefined) return unknown('`yield` is used outside of a generator', node)
  if (node.asteriskToken === undefined) m.journal.setElements(yields, [...yields.elements, value])
  else {
    appendAll(m, yields, value, node)
    // It has read the list up to here.
    m.generators.readDeeply(value)
  }
  // Once for the value, and once for the loop that reads it.
  if (waitsAfterYield) for (const waited of [value, undefinedValue]) awaitInPlace(m, waited, node)
  return unknown('the build does not evaluate values that are passed to a generator', node)
}

function evaluateDelete(m: Machine, node: ts.DeleteExpression, scope: Scope): Value {
  const target = node.expression
  if (isMember(target)) {
    m.remove(evaluate(m, target.expression, scope), keyOf(m, target, scope), node)
  }
  return primitive(true, node)
}

function evaluateMetaProperty(m: Machine, node: ts.MetaProperty, scope: Scope): Value {
  if (node.keywordToken === ts.SyntaxKind.NewKeyword) return scope.frame.newTarget ?? undefinedValue
  return m.modules.importMeta(scope.file, node)
}
