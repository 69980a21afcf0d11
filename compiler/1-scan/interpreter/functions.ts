/** Closures and their calls. */
import { generatorOf } from '../builtins/lists/iteration.ts'
import { isInside, ts, type Node } from '../../util/source/project.ts'
import { callAsync, runBody } from './awaits.ts'
import { resultOf } from './completions.ts'
import { bindParameters } from './patterns.ts'
import { initialize } from './classes.ts'
import { hasModifier } from '../values/properties.ts'
import type { Completion, Home, Machine } from '../values/machine.ts'
import { Scope, type Frame } from '../values/scope.ts'
import { mayThrow, thrownError } from '../values/thrown.ts'
import { forEachOption } from '../values/conditions.ts'
import { argumentList, object, primitive, undefinedValue, unknown } from '../values/index.ts'
import type { FunctionValue, Value } from '../values/index.ts'

/** Nesting of calls: deeper than in any real set-up code. */
const maxDepth = 150

/** Nesting of expressions, statements and branches that the JavaScript stack can hold. */
const maxNesting = 700

/**
 * How often a function may call itself, each time under another unknown condition: code that retries until something
 * works would never end.
 */
const maxRecursion = 6

/** The same, for all such calls within the outermost one: two calls in each would otherwise be followed 64 times, and three 729 times. */
const maxRepeats = 40

export function closure(
  node: ts.FunctionLikeDeclaration,
  scope: Scope,
  { home, isStatic = false }: Home = {},
): FunctionValue {
  return {
    kind: 'function',
    node,
    scope,
    boundThis: undefined,
    boundArguments: [],
    home: home ?? (ts.isArrowFunction(node) ? scope.frame.home : undefined),
    isStatic,
    members: new Map(),
    name: node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : '',
    at: node,
  }
}

export function call(m: Machine, callee: Value, thisValue: Value, args: Value[], at: Node): Value {
  switch (callee.kind) {
    case 'function':
      return callFunction(m, callee, thisValue, args, at)
    case 'native':
      return callee.call({ thisValue, args, at })
    case 'choice':
      return forEachOption(m, callee, at, (one) => call(m, one, thisValue, args, at))
    case 'deferred': {
      const isBound =
        thisValue.kind === 'class' ||
        (thisValue !== undefinedValue && thisValue.kind === 'primitive')
      const bind = '(f, t) => f.bind(t)'
      return m.external.call(
        isBound ? m.deferrals.code(bind, [callee, thisValue], at) : callee,
        args,
        at,
      )
    }
    case 'unknown':
      return m.external.callUnknown(callee, args, at)
    case 'class':
      return unknown('a class is called without `new`', at)
    default:
      return callNonFunction(m, callee, at)
  }
}

/** Throws for primitives as JavaScript does, except under an unknown condition: the application may never get there. */
function callNonFunction(m: Machine, callee: Value, at: Node): Value {
  if (m.branches.length === 0 && callee.kind === 'primitive') {
    const text = ts.isCallExpression(at) ? at.expression.getText() : String(callee.value)
    throw thrownError('TypeError', `${text} is not a function`, at)
  }
  const why = unknown('the called value is not a function', at)
  mayThrow(m, why, at)
  return why
}

type CallOf = [thisValue: Value, args: Value[], at: Node, newTarget?: Value]

function callFunction(m: Machine, callee: FunctionValue, ...call: CallOf): Value {
  const { node } = callee
  const [, args, at] = call
  const problem = recursionProblem(m, node)
  if (problem !== undefined) return m.external.callUnknown(unknown(problem, at), args, at)
  const follow = (): Value => followFunction(m, callee, ...call)
  return node.asteriskToken === undefined ? follow() : m.generators.follow(at, follow)
}

function followFunction(
  m: Machine,
  callee: FunctionValue,
  ...[thisValue, args, at, newTarget]: CallOf
): Value {
  const { node } = callee
  const { body } = node
  if (body === undefined) return unknown('this function has no body', node)
  const isArrow = ts.isArrowFunction(node)
  const outer = callee.scope.frame
  const frame: Frame = {
    thisValue: isArrow
      ? outer.thisValue
      : ((newTarget ? undefined : callee.boundThis) ?? thisValue),
    home: callee.home,
    isStatic: isArrow ? outer.isStatic : callee.isStatic,
    newTarget: isArrow ? outer.newTarget : newTarget,
    yields: node.asteriskToken === undefined ? undefined : m.generators.values(at),
    waitsAfterYield: hasModifier(node, ts.SyntaxKind.AsyncKeyword),
  }
  const scope = new Scope(callee.scope, callee.scope.file, frame)
  const { inFunction } = m.tries
  m.tries.inFunction = 0
  m.budget.calls.push({ node, at, branches: m.branches.length, repeats: 0 })
  try {
    const all = [...callee.boundArguments, ...args]
    if (!isArrow) scope.declare('arguments', argumentList(all, at))
    if (ts.isFunctionExpression(node) && node.name !== undefined)
      scope.declare(node.name.text, callee)
    const run = (): Completion => {
      bindParameters(m, node, all, scope)
      return runBody(m, body, scope)
    }
    if (isAsync(node)) return callAsync(m, frame, run, at)
    const result = resultOf(run(), body)
    if (result.kind === 'function' && !m.derived.has(result) && isInside(result.node, node))
      m.derived.set(result, { from: callee, isReturned: true })
    return frame.yields === undefined ? result : generatorOf(m, frame.yields, at)
  } finally {
    m.tries.inFunction = inFunction
    m.budget.calls.pop()
  }
}

function isAsync(node: ts.FunctionLikeDeclaration): boolean {
  return node.asteriskToken === undefined && hasModifier(node, ts.SyntaxKind.AsyncKeyword)
}

/** Returns why a call isn't followed, to end endless recursion. */
function recursionProblem(m: Machine, node: ts.Node): string | undefined {
  const { calls, nesting } = m.budget
  if (calls.length >= maxDepth || nesting >= maxNesting) return 'the calls are nested too deeply'
  const same = calls.filter((call) => call.node === node)
  const recursions = same.filter(
    ({ branches }, i) => branches > (same[i - 1]?.branches ?? Infinity),
  )
  const [outermost] = same
  if (outermost !== undefined && recursions.length > 0) outermost.repeats++
  return recursions.length >= maxRecursion || (outermost?.repeats ?? 0) > maxRepeats
    ? 'it calls itself again and again, under conditions that only the running application knows'
    : undefined
}

export function construct(m: Machine, callee: Value, args: Value[], at: Node): Value {
  switch (callee.kind) {
    case 'class': {
      const created = object(at, { proto: callee.prototype, class: callee })
      return initialize(m, callee, created, args, at) ?? created
    }
    case 'function': {
      const proto = m.get(callee, primitive('prototype', at), at)
      const created = object(at, { proto })
      const result = callFunction(m, callee, created, args, at, callee)
      return 'members' in result ? result : created
    }
    case 'native':
      return callee.construct === undefined
        ? unknown(`the build cannot evaluate \`new ${callee.name}\``, at)
        : callee.construct({ thisValue: undefinedValue, args, at })
    case 'choice':
      return forEachOption(m, callee, at, (one) => construct(m, one, args, at))
    case 'deferred':
      return m.external.construct(callee, args, at)
    case 'unknown':
      return m.external.callUnknown(callee, args, at)
    default:
      return unknown('the value after `new` is not a class', at)
  }
}
