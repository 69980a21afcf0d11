import type { ContextNode, RouteNode, SharedSchema } from '../model/index.ts'
import { areSame } from '../util/same-declarations.ts'

/** Members that differ between attempts. */
const ignored = ['branches', 'isConditional', 'order'] as const

/**
 * Removes contexts and routes that a retry declares again. Fastify refuses a second route of the same name, so only one of them exists. If
 * shared schemas depend on conditions, all stay: each attempt may get other functions.
 *
 * @param visible shared schemas of the context and its parents
 */
export function withoutRepeated(
  { routes, children, ...context }: ContextNode,
  visible: readonly SharedSchema[],
): ContextNode {
  if (visible.some(({ branches }) => branches.length > 0)) return { ...context, routes, children }
  return {
    ...context,
    routes: unique(routes, ({ constraints }) => constraints !== undefined),
    // The same plugin may be registered at another place, in a `catch`.
    children: unique(children, ({ isPrefixKnown }) => isPrefixKnown, 'at'),
  }
}

/** @param mayDiffer another member of the nodes themselves that is ignored */
function unique<Node extends RouteNode | ContextNode>(
  all: readonly Node[],
  isKnown: (node: Node) => boolean,
  mayDiffer?: 'at',
): readonly Node[] {
  const kept = new Map<string, Node[]>()
  return all.filter((one) => {
    // Comparing all with all takes long.
    const key = 'url' in one ? one.url : one.prefix
    const alike = kept.get(key) ?? []
    kept.set(key, alike)
    const isSame = (other: Node): boolean =>
      areSame(mayDiffer === undefined ? other : { ...other, at: one.at }, one, ignored)
    if (one.isConditional && isKnown(one) && alike.some(isSame)) return false
    alike.push(one)
    return true
  })
}
