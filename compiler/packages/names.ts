import { ts } from '#typescript'
import type { Target } from './summary.ts'

/** What a variable is made from; `undefined` for what says nothing: a parameter, the result of a call. */
type Source = ts.Expression | ts.FunctionDeclaration | ts.ClassDeclaration | Target | undefined

/** The variables of one function, or of a module. Blocks count as part of their function. */
export class Names {
  readonly #outer: Names | undefined
  readonly #sources = new Map<string, Source>()
  readonly #resolving = new Set<string>()
  /** The function that stands for a declaration or an expression. */
  readonly #idOf: (node: ts.Node) => number | undefined

  constructor(outer: Names | undefined, idOf: (node: ts.Node) => number | undefined) {
    this.#outer = outer
    this.#idOf = idOf
  }

  /** A name that is declared twice may be either: then nothing is known of it. */
  declare(name: string, source: Source): void {
    this.#sources.set(name, this.#sources.has(name) && source !== undefined ? undefined : source)
  }

  isGlobal(name: string): boolean {
    return this.#sources.has(name) ? false : (this.#outer?.isGlobal(name) ?? true)
  }

  target(name: string): Target | undefined {
    if (!this.#sources.has(name)) {
      if (this.#outer !== undefined) return this.#outer.target(name)
      return name === 'Function' || name === 'eval' ? { type: 'generator', name } : undefined
    }
    if (this.#resolving.has(name)) return undefined
    this.#resolving.add(name)
    const source = this.#sources.get(name)
    const found = source !== undefined && 'kind' in source ? this.targetOf(source) : source
    this.#resolving.delete(name)
    return found
  }

  /** What an expression gives, when that is a function that can be told. */
  targetOf(node: ts.Node): Target | undefined {
    if (ts.isParenthesizedExpression(node)) return this.targetOf(node.expression)
    if (ts.isIdentifier(node)) return this.target(node.text)
    if (isFunction(node) || ts.isClassLike(node)) {
      const id = this.#idOf(node)
      return id === undefined ? undefined : { type: 'function', id }
    }
    if (ts.isBinaryExpression(node)) {
      // `a = exports.a = function`, `(0, a)`
      const { kind } = node.operatorToken
      const isLast = kind === ts.SyntaxKind.EqualsToken || kind === ts.SyntaxKind.CommaToken
      return isLast ? this.targetOf(node.right) : undefined
    }
    if (ts.isCallExpression(node)) return this.#targetOfCall(node)
    if (ts.isPropertyAccessExpression(node)) return this.#targetOfMember(node)
    return undefined
  }

  #targetOfCall(node: ts.CallExpression): Target | undefined {
    const specifier = this.requiredBy(node)
    if (specifier !== undefined) return { type: 'import', specifier, name: undefined }
    const [first] = node.arguments
    if (first === undefined) return undefined
    // The wrapper of plugins returns what it is given.
    const callee = this.targetOf(node.expression)
    if (callee?.type === 'import' && callee.specifier === 'fastify-plugin') {
      return this.targetOf(first)
    }
    if (!ts.isIdentifier(node.expression)) return undefined
    // What compilers write around a module: `__importDefault(require('x'))`.
    const inner = node.expression.text.startsWith('_') ? this.targetOf(first) : undefined
    return inner?.type === 'import' ? inner : undefined
  }

  #targetOfMember({ expression, name }: ts.PropertyAccessExpression): Target | undefined {
    if (name.text === 'constructor' && isFunctionItself(expression)) {
      return { type: 'generator', name: 'Function' }
    }
    if (
      ts.isIdentifier(expression) &&
      /^(?:globalThis|global|window|self)$/.test(expression.text)
    ) {
      const isGenerator = name.text === 'Function' || name.text === 'eval'
      if (isGenerator && this.isGlobal(expression.text))
        return { type: 'generator', name: name.text }
    }
    const owner = this.targetOf(expression)
    if (owner?.type !== 'import' || owner.name !== undefined) return undefined
    return { ...owner, name: name.text === 'default' ? undefined : name.text }
  }

  /** The text or the object that an expression is, itself or by a name. */
  literalOf(node: ts.Expression): ts.StringLiteralLike | ts.ObjectLiteralExpression | undefined {
    if (ts.isStringLiteralLike(node) || ts.isObjectLiteralExpression(node)) return node
    if (!ts.isIdentifier(node)) return undefined
    const source = this.#sources.get(node.text)
    if (source === undefined || !('kind' in source)) return undefined
    return ts.isStringLiteralLike(source) || ts.isObjectLiteralExpression(source)
      ? source
      : undefined
  }

  /** The module that a call of `require` loads. */
  requiredBy({ expression, arguments: [only] }: ts.CallExpression): string | undefined {
    const isRequire =
      ts.isIdentifier(expression) && expression.text === 'require' && this.isGlobal('require')
    return isRequire && only !== undefined && ts.isStringLiteralLike(only) ? only.text : undefined
  }
}

/** `(async function () {})`, or `Object.getPrototypeOf` of it. */
function isFunctionItself(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isFunctionItself(node.expression)
  if (ts.isCallExpression(node)) {
    const [only] = node.arguments
    const isPrototype = /^(?:Object|Reflect)\.getPrototypeOf$/.test(node.expression.getText())
    return isPrototype && only !== undefined && isFunctionItself(only)
  }
  return ts.isFunctionExpression(node) || ts.isArrowFunction(node)
}

/** A function with a body of its own. */
export function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}
