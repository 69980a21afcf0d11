/** The names that generated code mentions, read from its syntax tree. */
import { parseAst } from 'rollup/parseAst'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

export interface CodeFacts {
  /** Every name that is code: variables, functions, properties after a dot, keys without quotes. */
  readonly names: ReadonlySet<string>
  /** Names that are used but not defined anywhere in the code. */
  readonly free: readonly string[]
}

/** Throws if the code isn't JavaScript in strict mode. */
export function factsOf(code: string): CodeFacts {
  const names = new Set<string>()
  const used = new Set<string>()
  const defined = new Set<string>()
  visit(parseAst(code) as unknown as Node, undefined, '')
  return { names, free: [...used].filter((name) => !defined.has(name)).sort() }

  function visit(node: Node, parent: Node | undefined, role: string): void {
    if (node.type === 'Identifier') {
      const name = node.name as string
      names.add(name)
      const isMember =
        parent?.type === 'MemberExpression' && role === 'property' && !parent.computed
      const isKey =
        parent?.type === 'Property' && role === 'key' && !parent.computed && !parent.shorthand
      if (!isMember && !isKey) (isDefinition(parent, role) ? defined : used).add(name)
      return
    }
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (isNode(child)) visit(child, node, key)
      }
    }
  }
}

function isDefinition(parent: Node | undefined, role: string): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
      return role === 'id'
    case 'FunctionDeclaration':
      return role === 'id' || role === 'params'
    case 'AssignmentPattern':
      return role === 'left'
    case 'Property':
      return role === 'value'
    case 'CatchClause':
      return role === 'param'
    default:
      return false
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
