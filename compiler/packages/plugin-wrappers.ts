import { ts } from '#typescript'
import { isFunction } from './names.ts'
import type { Names } from './names.ts'
import type { Target, WrappedPlugin } from './summary.ts'
import { nameOf } from './syntax.ts'

const WRAPPERS: ReadonlySet<string> = new Set(['fastify-plugin', 'framework/plugin'])

/** What a module wraps as plugins when it is loaded, or when a function is called, as far as they ask for a range of Fastify. */
export function wrappedIn(source: ts.SourceFile, names: Names): readonly WrappedPlugin[] {
  const found: WrappedPlugin[] = []
  visit(source, undefined)
  return found

  /** @param maker the function that the node stands in */
  function visit(node: ts.Node, maker: Target | undefined): void {
    if (isFunction(node)) {
      const target = maker ?? names.targetOf(node) ?? declared(node)
      if (target !== undefined && node.body) visit(node.body, target)
      return
    }
    if (ts.isCallExpression(node)) {
      const [plugin, options] = node.arguments
      const callee = names.targetOf(node.expression)
      if (callee?.type === 'import' && WRAPPERS.has(callee.specifier)) {
        const target = maker ?? (plugin && names.targetOf(plugin))
        const range = options && rangeIn(options, names)
        if (target !== undefined && range) {
          found.push({ target, isMaker: maker !== undefined, range })
        }
      }
    }
    ts.forEachChild(node, (one) => visit(one, maker))
  }

  function declared(node: ts.FunctionLikeDeclaration): Target | undefined {
    return node.name && ts.isIdentifier(node.name) ? names.target(node.name.text) : undefined
  }
}

/** `fastify` of the options; the range itself may stand in their place. */
function rangeIn(options: ts.Expression, names: Names): string | undefined {
  const given = names.literalOf(options)
  if (given === undefined || ts.isStringLiteralLike(given)) return given?.text
  for (const property of given.properties) {
    if (!ts.isPropertyAssignment(property) || nameOf(property.name) !== 'fastify') continue
    const range = names.literalOf(property.initializer)
    return range !== undefined && ts.isStringLiteralLike(range) ? range.text : undefined
  }
  return undefined
}
