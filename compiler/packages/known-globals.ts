import { ts } from '#typescript'

/**
 * Whether a condition holds in Node, where that is clear: `typeof window`, `Function.prototype.bind`. Packages ask so
 * for what old engines lack.
 *
 * @param isGlobal whether a name is that of a global variable where it stands
 */
export function holds(
  node: ts.Expression,
  isGlobal: (name: string) => boolean,
): boolean | undefined {
  if (ts.isParenthesizedExpression(node)) return holds(node.expression, isGlobal)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    const inner = holds(node.operand, isGlobal)
    return inner === undefined ? undefined : !inner
  }
  if (ts.isBinaryExpression(node)) return holdsBinary(node, isGlobal)
  const path = globalPath(node, isGlobal)
  if (path === undefined) return undefined
  const { value } = path
  return value === undefined ? undefined : Boolean(value)
}

function holdsBinary(
  { left, right, operatorToken }: ts.BinaryExpression,
  isGlobal: (name: string) => boolean,
): boolean | undefined {
  switch (operatorToken.kind) {
    case ts.SyntaxKind.AmpersandAmpersandToken: {
      const [a, b] = [holds(left, isGlobal), holds(right, isGlobal)]
      return a === false || b === false ? false : a && b
    }
    case ts.SyntaxKind.BarBarToken: {
      const [a, b] = [holds(left, isGlobal), holds(right, isGlobal)]
      return a === true || b === true ? true : a === false ? b : undefined
    }
    case ts.SyntaxKind.EqualsEqualsToken:
    case ts.SyntaxKind.EqualsEqualsEqualsToken:
      return isOfType(left, right, isGlobal)
    case ts.SyntaxKind.ExclamationEqualsToken:
    case ts.SyntaxKind.ExclamationEqualsEqualsToken: {
      const same = isOfType(left, right, isGlobal)
      return same === undefined ? undefined : !same
    }
    default:
      return undefined
  }
}

/** `typeof x === 'function'`, whichever side the text is on. */
function isOfType(
  left: ts.Expression,
  right: ts.Expression,
  isGlobal: (name: string) => boolean,
): boolean | undefined {
  if (ts.isStringLiteralLike(left) && ts.isTypeOfExpression(right)) {
    return isOfType(right, left, isGlobal)
  }
  if (!ts.isTypeOfExpression(left) || !ts.isStringLiteralLike(right)) return undefined
  const path = globalPath(left.expression, isGlobal)
  return path === undefined ? undefined : typeof path.value === right.text
}

/** What a path from a global variable leads to in this process; modules of a build have no others than they do. */
function globalPath(
  node: ts.Expression,
  isGlobal: (name: string) => boolean,
): { readonly value: unknown } | undefined {
  if (ts.isIdentifier(node)) {
    if (!isGlobal(node.text)) return undefined
    return { value: (globalThis as Record<string, unknown>)[node.text] }
  }
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const owner = globalPath(node.expression, isGlobal)?.value
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined
  return { value: (owner as Record<string, unknown>)[node.name.text] }
}
