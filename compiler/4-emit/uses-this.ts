import { parseAst } from 'rollup/parseAst'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** They have a `this` of their own. */
const SCOPES: ReadonlySet<string> = new Set([
  'ClassBody',
  'FunctionDeclaration',
  'FunctionExpression',
])

/** Whether a function looks at `this`; also when nobody can tell, as of a native one. */
export function usesThis(value: Function): boolean {
  const text = String(value)
  if (text.includes('[native code]')) return true
  if (!/\b(?:this|super|eval)\b/.test(text)) return false
  // A method has no `function` in front.
  const tree = parse(`(${text})`) ?? parse(`({${text}})`)
  const root = tree && functionIn(tree)
  return root === undefined || mentions(root)
}

function parse(code: string): Node | undefined {
  try {
    return parseAst(code, { allowReturnOutsideFunction: true }) as unknown as Node
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'PARSE_ERROR') return undefined
    throw error
  }
}

function functionIn(node: Node): Node | undefined {
  if (/Function/.test(node.type)) return node
  for (const child of childrenOf(node)) {
    const found = functionIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

function mentions(node: Node): boolean {
  for (const child of childrenOf(node)) {
    if (child.type === 'ThisExpression' || child.type === 'Super') return true
    if (child.type === 'Identifier' && child.name === 'eval') return true
    if (!SCOPES.has(child.type) && mentions(child)) return true
  }
  return false
}

function* childrenOf(node: Node): Iterable<Node> {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (child !== null && typeof child === 'object' && 'type' in child) yield child as Node
    }
  }
}
