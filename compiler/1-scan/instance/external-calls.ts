/** Calls of code that isn't in the source. It may call callbacks of the application, and declare routes on instances. */
import { ts, type Node } from '../../util/source/project.ts'
import { operandsOf } from '../evaluation/operations.ts'
import { invoke } from '../builtins/functions.ts'
import { runLoosely } from '../builtins/jobs.ts'
import { toPromise } from '../builtins/promises.ts'
import { arrayMethods, changing } from '../builtins/lists/array.ts'
import type { Machine, ExternalCalls } from '../values/machine.ts'
import { callsOn } from '../values/changes.ts'
import { addPossible, Exit, mayThrow, Thrown } from '../values/thrown.ts'
import {
  array,
  innerValues,
  unknownFrom,
  isCallable,
  undefinedValue,
  unknown,
} from '../values/index.ts'
import type { Deferred, InstanceValue, Value } from '../values/index.ts'
import { noteUnknownHooks } from './hooks.ts'

/** Methods of instances that declare routes, shared schemas or plugins. */
const declaringMethods = /^(?:addSchema|all|delete|get|head|options|patch|post|put|register|route)$/

export function externalCalls(m: Machine): ExternalCalls {
  return {
    call(callee, args, at) {
      followCallbacks(m, args, at)
      reportHandedOver(m, callee, args, at)
      return inTry(m, m.deferrals.call(callee, args, at))
    },
    callMethod(owner, key, args, at) {
      const name = key.kind === 'primitive' ? String(key.value) : ''
      const [callback] = args
      if (callback !== undefined && isCallable(callback)) {
        if (name === 'then' || (/^(?:catch|finally)$/.test(name) && isPromiseLike(m, owner, at))) {
          const promise = toPromise(m, owner, at)
          return m.call(m.get(promise, key, at), promise, args, at)
        }
        const method = Object.hasOwn(arrayMethods, name) ? arrayMethods[name] : undefined
        if (method !== undefined && !changing.has(name) && m.deferrals.isArray(owner)) {
          // Follow the application's callback with each element. Other methods change the list, which belongs to the package.
          const items = m.deferrals.items(owner, at)
          if (Array.isArray(items)) {
            return invoke(method, { m, self: array(items, at), at }, args)
          }
        }
      }
      followCallbacks(m, args, at)
      reportHandedOver(m, owner, args, at)
      return inTry(m, m.deferrals.callMethod(owner, key, args, at))
    },
    construct(callee, args, at) {
      followCallbacks(m, args, at)
      noteHandedOver(m, args, at)
      return inTry(m, m.deferrals.construct(callee, args, at))
    },
    callUnknown(callee, args, at) {
      if (noteHandedOver(m, args, at)) {
        m.reportUnknown('AOT_PLUGIN_NOT_STATIC', at, { ...callee, at }, callee.why)
      }
      followCallbacks(m, args, at)
      mayThrow(m, callee, at)
      const result = unknownFrom(callee, at)
      const decorator = m.decorators.get(callee)
      if (decorator !== undefined) m.decorators.set(result, `${decorator}()`)
      return result
    },
  }
}

/** Inside of a `try`, finds out whether a call fails. Elsewhere it is only made if something needs its result. */
function inTry(m: Machine, result: Deferred): Deferred {
  const known = m.tries.inFunction > 0 ? m.known(result) : result
  if (known.kind === 'unknown') mayThrow(m, known, result.at)
  return result
}

/** Returns whether a value is a promise: other objects have methods of these names, too. */
function isPromiseLike(m: Machine, value: Deferred, at: Node): boolean {
  const code = '(v) => typeof v.then === "function"'
  const answer = m.known(m.deferrals.code(code, [value], at))
  return answer.kind === 'primitive' && answer.value === true
}

/** Reports an instance that a package may hand to code of the application, such as a router that a container creates. */
function reportHandedOver(m: Machine, owner: Deferred, args: readonly Value[], at: Node): void {
  if (!noteHandedOver(m, args, at)) return
  if (!isMadeOfDeclaringCode(owner)) return
  const why = 'a package creates it from code of the application'
  m.report('AOT_PLUGIN_NOT_STATIC', m.project.locateFor(at), why)
}

/** Returns whether a package made the value of code of the application that may declare something. */
function isMadeOfDeclaringCode(value: Value, seen = new Set<Value>()): boolean {
  if (seen.has(value)) return false
  seen.add(value)
  if (value.kind === 'function' || value.kind === 'class') return callsDeclaringMethod(value.node)
  const isDeferred = value.kind === 'deferred'
  const parts = isDeferred ? [...operandsOf(value), ...callsOn(value)] : innerValues(value)
  return parts.some((one) => isMadeOfDeclaringCode(one, seen))
}

function callsDeclaringMethod(node: Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    if (declaringMethods.test(node.expression.name.text)) return true
  }
  return ts.forEachChild(node, callsDeclaringMethod) ?? false
}

/** Notes the instances that other code gets, which may start them, and add hooks. */
function noteHandedOver(m: Machine, args: readonly Value[], at: Node): boolean {
  const instances = args.flatMap(instancesIn)
  if (instances.length > 0) m.handedOver.push(at)
  const why = 'code outside of the source gets the instance'
  for (const { context } of instances) noteUnknownHooks(m, context, why, at)
  return instances.length > 0
}

function instancesIn(value: Value): readonly InstanceValue[] {
  if (value.kind === 'instance') return [value]
  if (value.kind !== 'object') return []
  const values = [...value.members.values()].map((member) => member.value)
  return values.filter((one) => one.kind === 'instance')
}

/** Follows callbacks once, in case they are called. Their arguments aren't known. */
function followCallbacks(m: Machine, args: readonly Value[], at: Node): void {
  for (const arg of args) {
    if (arg.kind !== 'function') continue
    const unknownArgs = arg.node.parameters.map((parameter) =>
      unknown('it is passed by code outside of the source', parameter),
    )
    const why = unknown('code outside of the source may call the function that writes it', at)
    runLoosely(m, why, () => callAndCatch(m, arg, unknownArgs, at), at)
  }
}

/** Calls a function, and keeps its effects if it throws: the caller may catch the error. */
function callAndCatch(m: Machine, callback: Value, args: Value[], at: Node): void {
  try {
    m.call(callback, undefinedValue, args, at)
  } catch (error) {
    if (!(error instanceof Thrown) || error instanceof Exit) throw error
    addPossible(m, error)
  }
}
