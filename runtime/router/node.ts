/** Nodes of the radix tree that paths are matched with. */
import { type ConstrainedLeaf, addConstrained, constraintCount } from './constrained-routes.ts'
import type { ParsedPath } from './path.ts'
import type { SegmentMatcher } from './segment-matcher.ts'
import { type ParamSlot, wildcard } from './param-slot.ts'
import type { RouteOptions } from './types.ts'

export interface TreeRoute extends ParsedPath {
  readonly opts: RouteOptions
}

/** The part of a URL that a node matches. */
export type NodeKind = 'static' | 'param' | 'wildcard'

/**
 * A node of the tree of one method.
 *
 * Children are created by the first look-up that reaches the node. Until then, `pending` holds the routes below it. Thousands of routes
 * are registered quickly, and a look-up only builds its own branch.
 */
export interface RouteNode<R extends TreeRoute> {
  readonly kind: NodeKind
  /** The text that a static node matches. Empty for other kinds. */
  prefix: string
  /** Index into `texts` and `slots` of the routes below. */
  readonly depth: number
  /** The length of `texts[depth]` that is matched after this node. */
  offset: number
  /** Routes that have no child yet, in the order of registration. `null` once the children are created. */
  pending: R[] | null
  /** Static children by the character code that their prefix starts with, in the order of their creation. */
  readonly children: Map<number, RouteNode<R>>
  /** Nodes to try, in this order, if no static child leads to a route. The wildcard is the last. */
  fallbacks: RouteNode<R>[]
  readonly matcher: SegmentMatcher | null
  readonly slot: ParamSlot | null
  /** The route that ends here and has no constraints. */
  route: R | null
  /** All routes that end here, if one of them has constraints. */
  constrained: ConstrainedLeaf<R> | null
}

/** Creates a static node with pending routes. */
export function createStaticNode<R extends TreeRoute>(
  prefix: string,
  depth: number,
  offset: number,
  routes: R[],
): RouteNode<R> {
  return createNode('static', prefix, depth, offset, routes, null)
}

/** Returns the child for a parameter or the wildcard. */
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

/** Splits a node: shortens its prefix to `length`, and moves its content to a child with the rest of the prefix. */
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

/** Returns the wildcard child, and creates it first if necessary. */
export function wildcardChild<R extends TreeRoute>(node: RouteNode<R>): RouteNode<R> {
  let child = fallback(node, wildcard)
  if (child === undefined) {
    child = createNode<R>('wildcard', '', node.depth + 1, 0, null, wildcard)
    node.fallbacks = [...node.fallbacks, child]
  }
  return child
}

/** Returns the child for a parameter, and creates it first if necessary. */
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
 * Sorts regular expressions before plain parameters, those with longer suffixes first.
 *
 * The order isn't consistent, so the result depends on the order of insertion. It is find-my-way's, so `sort` has to get the same arrays.
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

/** Adds a route that ends at a node. */
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
