import { type ConstrainedLeaf, addConstrained, constraintCount } from './constrained-routes.ts'
import type { PathOutline } from './path.ts'
import type { SegmentMatcher } from './segment-matcher.ts'
import { type ParamSlot, wildcard } from './param-slot.ts'
import type { RouteOptions } from './types.ts'

/** What the tree needs to know of a route. */
export interface TreeRoute extends PathOutline {
  readonly opts: RouteOptions
}

/** What a node consumes of a URL. */
export type NodeKind = 'static' | 'param' | 'wildcard'

/**
 * A node of the radix tree of one method.
 *
 * Nodes grow when a look-up first gets to them: until then `pending` holds the routes that pass
 * through. So registering thousands of routes costs one push each, and the first look-up builds
 * only the branch that it walks along.
 */
export interface RouteNode<R extends TreeRoute> {
  readonly kind: NodeKind
  /** Text that a static node matches; empty for other kinds. */
  prefix: string
  /** Index into `texts` and `slots` of the routes below. */
  readonly depth: number
  /** How much of `texts[depth]` is matched after this node. */
  offset: number
  /** Routes still to be sorted into children, in the order of registration; `null` when grown. */
  pending: R[] | null
  /** Static children by the character code that their prefix starts with, in the order of their creation. */
  readonly children: Map<number, RouteNode<R>>
  /** What to try where no static child leads to a route, in this order; the wildcard is last. */
  fallbacks: RouteNode<R>[]
  /** What a parameter has to match. */
  readonly matcher: SegmentMatcher | null
  readonly slot: ParamSlot | null
  /** The route that ends here and has no constraints. */
  route: R | null
  /** All routes that end here, once one of them has constraints. */
  constrained: ConstrainedLeaf<R> | null
}

/** A static node below which `routes` are still to be sorted in. */
export function createStaticNode<R extends TreeRoute>(
  prefix: string,
  depth: number,
  offset: number,
  routes: R[],
): RouteNode<R> {
  return createNode('static', prefix, depth, offset, routes, null)
}

/** The fallback that a parameter or the wildcard leads to. */
export function fallback<R extends TreeRoute>(
  node: RouteNode<R>,
  slot: ParamSlot,
): RouteNode<R> | undefined {
  const kind = slot === wildcard ? 'wildcard' : 'param'
  return node.fallbacks.find((each) => each.kind === kind && each.slot?.source === slot.source)
}

/** Adds a child that starts with a character that no other child starts with. */
export function addStaticChild<R extends TreeRoute>(node: RouteNode<R>, child: RouteNode<R>): void {
  node.children.set(child.prefix.charCodeAt(0), child)
}

/** Shortens the prefix of a grown node to `length`; what it had goes to a child with the rest. */
export function splitStatic<R extends TreeRoute>(node: RouteNode<R>, length: number): void {
  const prefix = node.prefix.slice(length)
  const rest = createStaticNode<R>(prefix, node.depth, node.offset, [])
  rest.pending = null
  for (const child of node.children.values()) addStaticChild(rest, child)
  rest.fallbacks = node.fallbacks
  rest.route = node.route
  rest.constrained = node.constrained
  node.offset -= prefix.length
  node.prefix = node.prefix.slice(0, length)
  node.children.clear()
  node.fallbacks = []
  node.route = null
  node.constrained = null
  addStaticChild(node, rest)
}

/** The child that takes all the rest; made when there is none. */
export function wildcardChild<R extends TreeRoute>(node: RouteNode<R>): RouteNode<R> {
  let child = fallback(node, wildcard)
  if (child === undefined) {
    child = createNode<R>('wildcard', '', node.depth + 1, 0, null, wildcard)
    node.fallbacks = [...node.fallbacks, child]
  }
  return child
}

/** The child for a parameter; made when there is none. */
export function paramChild<R extends TreeRoute>(node: RouteNode<R>, slot: ParamSlot): RouteNode<R> {
  let child = fallback(node, slot)
  if (child === undefined) {
    child = createNode<R>('param', '', node.depth + 1, 0, [], slot)
    const params = node.fallbacks.filter((each) => each.kind === 'param')
    const rest = node.fallbacks.filter((each) => each.kind === 'wildcard')
    node.fallbacks = [...[...params, child].sort(byPrecedence), ...rest]
  }
  return child
}

/**
 * Regular expressions come before plain parameters, those with a longer suffix first.
 *
 * Not a consistent order for every input, so the outcome depends on the order of insertion: it is
 * find-my-way's, and `Array.prototype.sort` has to see the same arrays as there.
 */
function byPrecedence(a: RouteNode<TreeRoute>, b: RouteNode<TreeRoute>): number {
  if (a.matcher === null) {
    return 1
  }
  if (b.matcher === null) {
    return -1
  }
  const [left, right] = [a.slot?.suffix ?? null, b.slot?.suffix ?? null]
  if (left === null) {
    return 1
  }
  if (right === null) {
    return -1
  }
  if (right.endsWith(left)) {
    return 1
  }
  return left.endsWith(right) ? -1 : 0
}

/** Lets a route end at a node. */
export function addToLeaf<R extends TreeRoute>(node: RouteNode<R>, route: R): void {
  const isConstrained = constraintCount(route) > 0
  if (isConstrained || node.constrained !== null) {
    const before = node.constrained ?? (node.route && addConstrained(null, node.route))
    node.constrained = addConstrained(before, route)
  }
  if (!isConstrained) {
    node.route = route
  }
}

function createNode<R extends TreeRoute>(
  kind: NodeKind,
  prefix: string,
  depth: number,
  offset: number,
  pending: R[] | null,
  slot: ParamSlot | null,
): RouteNode<R> {
  return {
    kind,
    prefix,
    depth,
    offset,
    pending,
    children: new Map(),
    fallbacks: [],
    matcher: slot === null ? null : slot.matcher,
    slot,
    route: null,
    constrained: null,
  }
}
