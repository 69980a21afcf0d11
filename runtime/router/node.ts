import { type ConstrainedLeaf, addConstrained, constraintCount } from './leaf.ts'
import { type ParamsShape, shapeOf } from './params.ts'
import { type PathOutline, parsedOf } from './path.ts'
import type { SegmentMatcher } from './segment.ts'
import { type ParamSlot, wildcard } from './slot.ts'
import type { RouteOptions } from './types.ts'
import { endsPath } from './url.ts'

/** What the tree needs to know of a route. */
export interface TreeRoute extends PathOutline {
  readonly opts: RouteOptions
  /** Made when the tree has grown down to the route. */
  shape: ParamsShape | null
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
  /** Character codes of `prefix`, made by the first look-up that compares it. */
  codes: number[] | null
  /** Code of the first character of `prefix`; siblings differ in it. */
  readonly code: number
  /** Static children in the order of their creation. */
  children: RouteNode<R>[]
  /** The same in a hash table of `code`, as linked lists; its length is a power of two. */
  buckets: (RouteNode<R> | null)[]
  sibling: RouteNode<R> | null
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

// Shared by all nodes without children, and replaced, never changed, when they get some.
const noChildren: never[] = []
const noBuckets: null[] = [null]

/** A static node below which `routes` are still to be sorted in. */
export function createStaticNode<R extends TreeRoute>(
  prefix: string,
  depth: number,
  offset: number,
  routes: R[],
): RouteNode<R> {
  return createNode('static', prefix, depth, offset, routes, null)
}

/**
 * The code that a node has for a character of a route's text. Characters that end a path occur in no
 * path, so they get a code that no character has: else they would match the start of a query.
 */
export function codeAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return endsPath(code) ? -code : code
}

/** The static child that starts with a character, given by its code. */
export function staticChild<R extends TreeRoute>(
  node: RouteNode<R>,
  code: number,
): RouteNode<R> | null {
  let child = node.buckets[code & (node.buckets.length - 1)] ?? null
  while (child !== null && child.code !== code) {
    child = child.sibling
  }
  return child
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
  if (node.children.length === 0) {
    node.children = [child]
    node.buckets = [child]
    return
  }
  node.children.push(child)
  if (node.children.length <= node.buckets.length) {
    link(node.buckets, child)
    return
  }
  node.buckets = [...node.buckets, ...node.buckets].fill(null)
  for (const each of node.children) {
    link(node.buckets, each)
  }
}

function link<R extends TreeRoute>(buckets: (RouteNode<R> | null)[], child: RouteNode<R>): void {
  const bucket = child.code & (buckets.length - 1)
  child.sibling = buckets[bucket] ?? null
  buckets[bucket] = child
}

/** Shortens the prefix of a grown node to `length`; what it had goes to a child with the rest. */
export function splitStatic<R extends TreeRoute>(node: RouteNode<R>, length: number): void {
  const prefix = node.prefix.slice(length)
  const rest = createStaticNode<R>(prefix, node.depth, node.offset, [])
  rest.pending = null
  rest.buckets = node.buckets
  rest.children = node.children
  rest.fallbacks = node.fallbacks
  rest.route = node.route
  rest.constrained = node.constrained
  node.offset -= prefix.length
  node.prefix = node.prefix.slice(0, length)
  node.codes = null
  node.children = noChildren
  node.buckets = noBuckets
  node.fallbacks = noChildren
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
  route.shape ??= shapeOf(parsedOf(route).params)
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
    codes: null,
    code: codeAt(prefix, 0),
    sibling: null,
    buckets: noBuckets,
    children: noChildren,
    fallbacks: noChildren,
    matcher: slot === null ? null : slot.matcher,
    slot,
    route: null,
    constrained: null,
  }
}
