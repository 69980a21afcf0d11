/** Finds the names in generated code by its syntax tree. */
import { walk } from 'estree-walker'
import type { Node } from 'estree'
import { parseAst } from 'rollup/parseAst'

export interface CodeFacts {
  /** Every name that is code: variables, functions, properties after a dot, keys without quotes. */
  readonly names: ReadonlySet<string>
  /** Names that are used but not defined anywhere in the code. */
  readonly free: readonly string[]
}

/** @throws if the code isn't JavaScript in strict mode */
export function factsOf(code: string): CodeFacts {
  const names = new Set<string>()
  const used = new Set<string>()
  const defined = new Set<string>()
  walk(parseAst(code), {
    enter(node, parent) {
      if (node.type !== 'Identifier') return
      names.add(node.name)
      if (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed)
        return
      const isKey = parent?.type === 'Property' && parent.key === node && !parent.computed
      if (isKey && !parent.shorthand) return
      ;(isDefinition(node, parent) ? defined : used).add(node.name)
    },
  })
  return { names, free: [...used].filter((name) => !defined.has(name)).sort() }
}

function isDefinition(node: Node, parent: Node | null): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id === node
    case 'FunctionDeclaration':
      return parent.id === node || (parent.params as readonly Node[]).includes(node)
    case 'AssignmentPattern':
      return parent.left === node
    case 'Property':
      return parent.value === node
    case 'CatchClause':
      return parent.param === node
    default:
      return false
  }
}
