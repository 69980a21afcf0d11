import type { Node, Program } from 'estree'
import { attachScopes, type AttachedScope } from '@rollup/pluginutils'

/** The scope of the node that a walk is at. */
export interface Scopes {
  enter(node: Node): void
  leave(node: Node): void
  /** Checks whether a declaration of the module is in scope: an import, a variable, a parameter. */
  isDeclared(name: string): boolean
}

export function scopesOf(program: Program): Scopes {
  let scope: AttachedScope = attachScopes(program)
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue
    for (const { local } of statement.specifiers) scope.declarations[local.name] = true
  }
  return {
    enter(node) {
      scope = ownScope(node) ?? scope
    },
    leave(node) {
      if (ownScope(node)) scope = scope.parent ?? scope
    },
    isDeclared: (name) => scope.contains(name),
  }
}

function ownScope(node: Node & { readonly scope?: AttachedScope }): AttachedScope | undefined {
  return node.scope
}
