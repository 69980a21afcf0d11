import { ts } from '../project.ts'
import type { Machine } from './machine.ts'
import type { Scope } from './scope.ts'
import { unknown } from './values.ts'
import type { Value } from './values.ts'

/** What `super.name` refers to. */
export function superMember(m: Machine, key: Value, node: ts.Node, scope: Scope): Value {
  const { home, isStatic } = scope.frame
  const parent = home?.parent
  if (parent === undefined) return unknown('`super` is used outside of a class', node)
  return m.get(isStatic || parent.kind !== 'class' ? parent : parent.prototype, key, node)
}

/** Whether it is part of `a?.b.c`. */
export function isChained(node: ts.Node): boolean {
  return (node.flags & ts.NodeFlags.OptionalChain) !== 0
}

export function isNullish(value: Value): boolean {
  return value.kind === 'primitive' && (value.value === undefined || value.value === null)
}
