import { ts } from '#typescript'
import { isFunction } from './names.ts'
import type { Names } from './names.ts'
import type { WrappedPlugin } from './summary.ts'
import { nameOf } from './syntax.ts'

const WRAPPERS: ReadonlySet<string> = new Set(['fastify-plugin', 'framework/plugin'])

/** What a module wraps as plugins when it is loaded, as far as they ask for a range of Fastify. */
export function wrappedIn(source: ts.SourceFile, names: Names): readonly WrappedPlugin[] {
  const found: WrappedPlugin[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (isFunction(node)) return
    if (ts.isCallExpression(node)) {
      const [plugin, options] = node.arguments
      const callee = names.targetOf(node.expression)
      if (callee?.type === 'import' && WRAPPERS.has(callee.specifier)) {
        const target = plugin && names.targetOf(plugin)
        const range = options && rangeIn(options, names)
        if (target !== undefined && range) found.push({ target, range })
      }
    }
    ts.forEachChild(node, visit)
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
