/** A node of the syntax tree that rollup gives. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Calls `visit` with every node, those around it first; what it returns `false` for is not entered. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => boolean | void,
  parent?: SyntaxNode,
): void {
  if (visit(node, parent) === false) return
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, node)
    }
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { type?: unknown }).type === 'string'
  )
}

/** A child that the grammar requires. */
export function childOf(node: SyntaxNode, key: string): SyntaxNode {
  return node[key] as SyntaxNode
}

export function childrenOf(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  return node[key] as readonly SyntaxNode[]
}
