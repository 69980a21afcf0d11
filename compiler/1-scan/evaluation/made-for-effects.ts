/** Tells calls that change a package from calls that only return something. */
import { callCode, memberCode, methodCode } from '../../sandbox/protocol.ts'
import { isInside, ts, type Node } from '../../util/source/project.ts'
import type { Machine } from '../values/machine.ts'
import type { Deferred, Value } from '../values/index.ts'

type Calls = Machine['budget']['calls']

/** Names of functions that change what their package returns later, even if something uses their result. */
const CONFIGURES =
  /^(?:add|config|configure|define|extend|init|install|load|override|register|reset|set|setup|use)(?![a-z])/

/**
 * Returns whether a call changes its package: nothing uses the result, or the function is named like one that configures.
 *
 * @param callee the function, or an object and the name of its method
 * @param calls the call stack
 */
export function isMadeForEffects(callee: readonly Value[], at: Node, calls: Calls): boolean {
  return isUnused(at, calls) || CONFIGURES.test(nameOf(callee.at(-1)))
}

/** Returns the name of a method, or of an exported function. */
function nameOf(callee: Value | undefined): string {
  if (callee?.kind === 'primitive') return String(callee.value)
  if (callee?.kind !== 'deferred' || callee.source.op === 'await') return ''
  const { source } = callee
  if (source.op === 'import') return source.name
  return source.code === memberCode ? nameOf(source.operands[1]) : ''
}

/** Returns whether a value is an export of a package, a part of one, or what a call in the same expression returns: `lib.use(plugin).init()`. */
export function isOfPackage({ source, at }: Deferred, call: Node): boolean {
  if (source.op !== 'code') return source.op === 'import'
  const isChained =
    (source.code === callCode || source.code === methodCode) &&
    at !== undefined &&
    isInside(at, call)
  const [owner] = source.operands
  const isPart = isChained || source.code === memberCode
  return isPart && owner?.kind === 'deferred' && isOfPackage(owner, call)
}

/** Returns whether the application evaluates an expression for its effects, also if it is the result of a function whose results nothing uses. */
function isUnused(at: Node, calls: Calls): boolean {
  // The scan calls an exported function itself, for its result: the place of such a call is the file.
  if (ts.isSourceFile(at)) return false
  const { parent } = at
  if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent)) return true
  if (ts.isReturnStatement(parent) || ts.isArrowFunction(parent)) {
    const caller = calls.at(-1)
    return (
      caller !== undefined && isInside(at, caller.node) && isUnused(caller.at, calls.slice(0, -1))
    )
  }
  const isPart =
    ts.isParenthesizedExpression(parent) ||
    ts.isAwaitExpression(parent) ||
    ts.isPropertyAccessExpression(parent) ||
    (ts.isCallExpression(parent) && parent.expression === at) ||
    (ts.isConditionalExpression(parent) && parent.condition !== at) ||
    (ts.isBinaryExpression(parent) &&
      parent.right === at &&
      /^(?:&&|\|\||\?\?|,)$/.test(parent.operatorToken.getText()))
  return isPart && isUnused(parent, calls)
}
