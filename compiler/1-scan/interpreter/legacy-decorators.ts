/** Decorators of TypeScript's `experimentalDecorators`. They run when the class is complete. */
import { ts, type Node } from '../../util/source/project.ts'
import { defineProperty, describeMember } from '../builtins/reflection.ts'
import type { Element, Evaluated } from './decorators.ts'
import type { Machine } from '../values/machine.ts'
import { primitive, undefinedValue, type ClassValue, type Value } from '../values/index.ts'

/** Runs decorators of instance members before those of static members, and of each member those of its parameters first. */
export function decorateLegacyElements(
  m: Machine,
  owner: ClassValue,
  elements: readonly Element[],
  evaluated: Evaluated,
): void {
  for (const { node, key, isStatic } of elements.toSorted(
    (a, b) => Number(a.isStatic) - Number(b.isStatic),
  )) {
    const target = isStatic ? owner : owner.prototype
    const name = primitive(key, node)
    for (const [decorator, index] of parametersOf(node, evaluated)) {
      m.call(decorator, undefinedValue, [target, name, primitive(index, node)], node)
    }
    const decorators = evaluated.get(node) ?? []
    if (decorators.length === 0) continue
    const member = ts.isPropertyDeclaration(node) ? undefined : target.members.get(key)
    let descriptor: Value = member === undefined ? undefinedValue : describeMember(member, node)
    for (const decorator of decorators) {
      const replacement = m.call(decorator, undefinedValue, [target, name, descriptor], node)
      if (replacement.kind === 'object') descriptor = replacement
    }
    if (member !== undefined && descriptor.kind === 'object') {
      defineProperty({ m, self: undefinedValue, at: node }, target, name, descriptor)
    }
  }
}

export function decorateLegacyClass(
  m: Machine,
  owner: ClassValue,
  evaluated: Evaluated,
): ClassValue {
  const constructor = owner.node.members.find(ts.isConstructorDeclaration)
  for (const [decorator, index] of parametersOf(constructor, evaluated)) {
    const at = owner.node
    m.call(decorator, undefinedValue, [owner, undefinedValue, primitive(index, at)], at)
  }
  let result = owner
  for (const decorator of evaluated.get(owner.node) ?? []) {
    const replacement = m.call(decorator, undefinedValue, [result], owner.node)
    if (replacement.kind === 'class') result = replacement
  }
  return result
}

/** Returns decorators of parameters, last parameter first. */
function parametersOf(node: Node | undefined, evaluated: Evaluated): [Value, number][] {
  if (node === undefined || !ts.isFunctionLike(node)) return []
  const found = node.parameters.map((parameter, index) =>
    (evaluated.get(parameter) ?? []).map((value): [Value, number] => [value, index]),
  )
  return found.reverse().flat()
}
