import { ts } from '../project.ts'
import type { Machine } from '../values/machine.ts'
import type { Scope } from '../values/scope.ts'
import { thrownError } from '../values/thrown.ts'
import { unknown } from '../values/index.ts'
import type { Value } from '../values/index.ts'

/** What `super.name` refers to. */
export function superMember(m: Machine, key: Value, node: ts.Node, scope: Scope): Value {
  const { home, isStatic } = scope.frame
  const parent = home?.parent
  if (parent === undefined) return unknown('`super` is used outside of a class', node)
  const holder = isStatic || parent.kind !== 'class' ? parent : parent.prototype
  return m.get(holder, key, node, scope.frame.thisValue)
}

/**
 * `owner[key]`, as the application reads it: there is nothing to read of `undefined` and `null`, so what comes after
 * does not run. Under a condition that only the running application knows it may never come to that.
 */
export function readMember(m: Machine, owner: Value, key: Value, at: ts.Node): Value {
  if (!isNullish(owner) || m.arms.length > 0 || isOfPromises(key)) return m.get(owner, key, at)
  const [of, name] = [owner, m.known(key)].map((one) =>
    one.kind === 'primitive' ? String(one.value) : 'a property',
  )
  throw thrownError('TypeError', `Cannot read properties of ${of} (reading '${name}')`, at)
}

/** A promise is followed as what it resolves to, which may be nothing. */
function isOfPromises(key: Value): boolean {
  if (key.kind !== 'primitive') return false
  return key.value === 'then' || key.value === 'catch' || key.value === 'finally'
}

/** Whether it is part of `a?.b.c`. */
export function isChained(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.OptionalChain) !== 0
}

export function isNullish(value: Value): boolean {
  return value.kind === 'primitive' && (value.value === undefined || value.value === null)
}
