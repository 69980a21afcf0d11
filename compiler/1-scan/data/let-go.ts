import { parse } from '../parse.ts'
import { ts } from '../project.ts'

/** Says of nodes what code they stand in: in an `async` function, for example. */
const { ContextFlags } = ts.NodeFlags

/**
 * Lets go of what stands in an object literal: a tree takes thirty times the memory of its text. It is parsed again as soon as
 * something looks at it, and is then as it was.
 *
 * Nobody may have a node in it, of which there would be two.
 */
export function letGo(literal: ts.ObjectLiteralExpression): void {
  const enumerable = true
  Object.defineProperty(literal, 'properties', {
    enumerable,
    configurable: true,
    get: () => {
      const value = readAgain(literal)
      Object.defineProperty(literal, 'properties', { enumerable, value, writable: true })
      return value
    },
  })
}

function readAgain(literal: ts.ObjectLiteralExpression): ts.ObjectLiteralExpression['properties'] {
  const file = literal.getSourceFile()
  const start = literal.getStart(file)
  // As an expression, since a statement that begins so is a block.
  const before = '('
  const { statements } = parse(file.fileName, `${before}${file.text.slice(start, literal.end)})`)
  const { expression } = statements[0] as ts.ExpressionStatement
  const again = (expression as ts.ParenthesizedExpression).expression as ts.ObjectLiteralExpression
  const by = start - before.length
  const flags = literal.flags & ContextFlags
  move(again, false)
  for (const property of again.properties) (property as { parent: ts.Node }).parent = literal
  return again.properties

  function move(node: ts.Node, isInType: boolean): void {
    shift(node)
    // A type is the same wherever it stands.
    const isType = isInType || ts.isTypeNode(node)
    if (!isType) (node as { flags: ts.NodeFlags }).flags |= flags
    const moveInside = (child: ts.Node): void => move(child, isType)
    ts.forEachChild(node, moveInside, (nodes) => {
      shift(nodes)
      nodes.forEach(moveInside)
    })
  }

  function shift(range: ts.TextRange): void {
    const moved = range as { pos: number; end: number }
    moved.pos += by
    moved.end += by
  }
}
