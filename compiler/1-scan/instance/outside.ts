import { ts } from '../project.ts'
import type { Node } from '../project.ts'
import { arrayMethods } from '../builtins/lists/array.ts'
import type { Machine } from '../values/machine.ts'
import { mayThrow } from '../values/thrown.ts'
import { array, blame, isCallable, undefinedValue, unknown } from '../values/index.ts'
import type { Deferred, FunctionValue, Unknown, Value } from '../values/index.ts'

/** A call of something that is not in the source. */
export function callOutside(m: Machine, callee: Deferred, args: Value[], at: Node): Value {
  followCallbacks(m, args, at)
  reportHandedOver(m, callee, args, at)
  return m.deferrals.call(callee, args, at)
}

export function callOutsideMethod(
  m: Machine,
  owner: Deferred,
  key: Value,
  args: Value[],
  at: Node,
): Value {
  const name = key.kind === 'primitive' ? String(key.value) : ''
  const [callback] = args
  if (callback !== undefined && isCallable(callback)) {
    if (name === 'then') return m.call(callback, undefinedValue, [m.boot.settle(owner)], at)
    const method = Object.hasOwn(arrayMethods, name) ? arrayMethods[name] : undefined
    if (method !== undefined && m.deferrals.isArray(owner)) {
      // The callback is the application's own: it is followed with each of the elements.
      const items = m.deferrals.items(owner, at)
      if (Array.isArray(items)) return method(m, array(items, at), args, at)
    }
  }
  followCallbacks(m, args, at)
  reportHandedOver(m, owner, args, at)
  return m.deferrals.callMethod(owner, key, args, at)
}

/** An instance that a package hands on to the application's own code: to a router that a container made, say. */
function reportHandedOver(m: Machine, owner: Deferred, args: readonly Value[], at: Node): void {
  if (!args.some(holdsInstance) || !isMadeOfRoutes(owner)) return
  m.report(
    'AOT_PLUGIN_NOT_STATIC',
    m.project.locateFor(at),
    'a package makes it of code of the application',
  )
}

/** Whether code of the application that may declare something went into what a package has made. */
function isMadeOfRoutes(value: Value, seen = new Set<Value>()): boolean {
  if (seen.has(value)) return false
  seen.add(value)
  const inner = (one: Value): boolean => isMadeOfRoutes(one, seen)
  switch (value.kind) {
    case 'function':
    case 'class':
      return callsDeclaring(value.node)
    case 'array':
      return value.elements.some(inner)
    case 'object':
      return [...value.members.values()].some((member) => inner(member.value))
    case 'deferred':
      return operandsOf(value).some(inner) || value.effects.some(inner)
    case 'choice':
      return value.options.some(inner)
    default:
      return false
  }
}

function operandsOf({ source }: Deferred): readonly Value[] {
  if (source.op === 'import') return []
  return source.op === 'await' ? [source.operand] : source.operands
}

/** Whether a call in the text has the name of one that declares something. */
function callsDeclaring(node: Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    if (declaring.has(node.expression.name.text)) return true
  }
  return ts.forEachChild(node, callsDeclaring) ?? false
}

export function constructOutside(m: Machine, callee: Deferred, args: Value[], at: Node): Value {
  followCallbacks(m, args, at)
  return m.deferrals.construct(callee, args, at)
}

/** A call of something that only the running application knows. */
export function callUnknown(m: Machine, callee: Unknown, args: readonly Value[], at: Node): Value {
  if (args.some(holdsInstance)) {
    const called = { ...callee, at }
    m.reportUnknown('AOT_PLUGIN_NOT_STATIC', at, called, callee.why)
  }
  followCallbacks(m, args, at)
  mayThrow(m, callee, at)
  return blame(callee, at)
}

function holdsInstance(value: Value): boolean {
  if (value.kind === 'instance') return true
  if (value.kind !== 'object') return false
  return [...value.members.values()].some((member) => member.value.kind === 'instance')
}

/** Names of calls that declare something on an instance. */
const declaring = new Set([
  'addSchema',
  'all',
  'delete',
  'get',
  'head',
  'options',
  'patch',
  'post',
  'put',
  'register',
  'route',
])

/**
 * Callbacks that declare something on an instance are followed once, in case they are called: what
 * they are called with is not known.
 */
function followCallbacks(m: Machine, args: readonly Value[], at: Node): void {
  for (const arg of args) {
    if (arg.kind !== 'function' || !declaresSomething(arg)) continue
    const given = arg.node.parameters.map((parameter) =>
      unknown('it is given by code that is not in the source', parameter),
    )
    m.fork([() => m.call(arg, undefinedValue, given, at), () => undefinedValue], at)
  }
}

function declaresSomething({ node, scope }: FunctionValue): boolean {
  let found = false
  const visit = (part: Node): void => {
    if (found) return
    if (ts.isCallExpression(part) && ts.isPropertyAccessExpression(part.expression)) {
      const { name, expression } = part.expression
      const root = rootOf(expression)
      const binding = root === undefined ? undefined : scope.findLocal(root)
      const value = binding?.read === undefined ? binding?.value : binding.read()
      found ||= declaring.has(name.text) && value?.kind === 'instance'
    }
    ts.forEachChild(part, visit)
  }
  visit(node)
  return found
}

/** The variable that a chain of calls starts from. */
function rootOf(node: ts.Expression): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node))
    return rootOf(node.expression)
  return undefined
}
