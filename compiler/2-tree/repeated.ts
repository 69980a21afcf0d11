import type { ContextNode, RouteNode, SharedSchema } from '../model/index.ts'
import { areSame } from '../util/same-declarations.ts'

/** Members that depend on the attempt. */
const ignored = ['branches', 'isConditional', 'order'] as const

/**
 * Leaves out what a retry declares again: no two of these routes exist together, because Fastify refuses the second one. All are kept if
 * shared schemas depend on conditions, because then each attempt may get other functions.
 *
 * @param visible the shared schemas of the context and of those above it
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

/** @param mayDiffer a member of the nodes themselves that doesn't matter either */
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
