/** The radix tree that the paths of one method are matched with. */
import { type ConstrainedLeaf, addConstrained, constraintCount } from './constrained-routes.ts'
import { type ParamSlot, wildcard } from './param-slot.ts'
import type { ParsedPath } from './path.ts'
import type { RouteOptions } from './types.ts'

export interface TreeRoute extends ParsedPath {
  readonly opts: RouteOptions
}

/**
 * A part of a path: static text, a parameter or the wildcard.
 *
 * Children are created by the first look-up that reaches the node. Until then, `pending` holds the routes below it. Thousands of routes
 * are registered quickly, and a look-up only builds its own branch.
 */
export interface RouteNode<R extends TreeRoute> {
  /** The text that a static node matches. Empty for others. */
  prefix: string
  /** `null` for static text. */
  readonly slot: ParamSlot | null
  /** Index into `texts` and `slots` of the routes below. */
  readonly depth: number
  /** The length of `texts[depth]` that is matched after this node. */
  offset: number
  /** Routes that have no child yet, in the order of registration. `null` once the children are created. */
  pending: R[] | null
  /** Static children by the character code that their prefix starts with, in the order of their creation. */
  readonly children: Map<number, RouteNode<R>>
  /** Nodes to try, in this order, if no static child leads to a route. The wildcard is the last. */
  fallbacks: readonly RouteNode<R>[]
  /** The route that ends here and has no constraints. */
  route: R | null
  /** All routes that end here, if one of them has constraints. */
  constrained: ConstrainedLeaf<R> | null
}

function createNode<R extends TreeRoute>(
  prefix: string,
  slot: ParamSlot | null,
  depth: number,
  offset: number,
  pending: R[] | null,
): RouteNode<R> {
  return {
    prefix,
    slot,
    depth,
    offset,
    pending,
    children: new Map(),
    fallbacks: [],
    route: null,
    constrained: null,
  }
}

/** Creates the root of a tree: the slash that every path but `*` starts with. */
export function createRoot<R extends TreeRoute>(): RouteNode<R> {
  return createNode('/', null, 0, 1, [])
}

/** Adds a route. Returns the root: the first route for `*` creates a new one, which has all other paths below it. */
export function insert<R extends TreeRoute & { readonly path: string }>(
  root: RouteNode<R>,
  route: R,
): RouteNode<R> {
  if (route.path === '*' && root.prefix !== '') {
    const outer = createNode<R>('', null, 0, 0, null)
    outer.children.set('/'.charCodeAt(0), root)
    return insert(outer, route)
  }
  // Go down to the first node whose children aren't created yet.
  let node: RouteNode<R> | null = root
  while (node?.pending === null) node = sortIn(node, route)
  node?.pending.push(route)
  return root
}

/** Creates the children of a node from its pending routes. */
export function grow<R extends TreeRoute>(node: RouteNode<R>): void {
  const routes = node.pending ?? []
  node.pending = null
  for (const route of routes) sortIn(node, route)?.pending?.push(route)
}

/** Adds a route that ends at a node. Otherwise returns the child that its path continues with. */
function sortIn<R extends TreeRoute>(node: RouteNode<R>, route: R): RouteNode<R> | null {
  const child = childFor(node, route)
  if (child === null) addToLeaf(node, route)
  return child
}

/** Returns the child that a path continues with, and creates it first if necessary. Returns `null` if the path ends here. */
export function childFor<R extends TreeRoute>(
  node: RouteNode<R>,
  { texts, slots }: ParsedPath,
): RouteNode<R> | null {
  const text = texts[node.depth] ?? ''
  if (node.offset < text.length) return staticChild(node, text)
  const slot = slots[node.depth]
  return slot === undefined ? null : slotChild(node, slot)
}

function staticChild<R extends TreeRoute>(node: RouteNode<R>, text: string): RouteNode<R> {
  const { children, depth, offset } = node
  const code = text.charCodeAt(offset)
  const child = children.get(code)
  if (child === undefined) {
    const created = createNode<R>(text.slice(offset), null, depth, text.length, [])
    children.set(code, created)
    return created
  }
  const { prefix } = child
  if (text.startsWith(prefix, offset)) return child
  let common = 1
  while (prefix[common] === text[offset + common]) common++
  if (child.pending !== null) {
    // It has no children yet, so it only needs a shorter prefix.
    child.prefix = prefix.slice(0, common)
    child.offset = offset + common
    return child
  }
  const parent = createNode<R>(prefix.slice(0, common), null, depth, offset + common, null)
  child.prefix = prefix.slice(common)
  parent.children.set(child.prefix.charCodeAt(0), child)
  children.set(code, parent)
  return parent
}

function slotChild<R extends TreeRoute>(node: RouteNode<R>, slot: ParamSlot): RouteNode<R> {
  const isWildcard = slot === wildcard
  const existing = node.fallbacks.find(
    (each) => (each.slot === wildcard) === isWildcard && each.slot?.source === slot.source,
  )
  if (existing !== undefined) return existing
  const created = createNode<R>('', slot, node.depth + 1, 0, [])
  const params = node.fallbacks.filter((each) => each.slot !== wildcard)
  const wildcards = node.fallbacks.filter((each) => each.slot === wildcard)
  // A look-up may be using the old list, while a constraint strategy registers a route.
  node.fallbacks = isWildcard
    ? [...params, created]
    : [...[...params, created].sort(byPrecedence), ...wildcards]
  return created
}

/**
 * Sorts regular expressions before plain parameters, and a suffix before one that it ends with.
 *
 * The order isn't consistent, so the result depends on the order of insertion. Find-my-way sorts in the same way, so `sort` has to get the same arrays.
 */
function byPrecedence(a: RouteNode<TreeRoute>, b: RouteNode<TreeRoute>): number {
  if (!a.slot?.source) return 1
  if (!b.slot?.source) return -1
  const [left, right] = [a.slot.suffix, b.slot.suffix]
  if (left === null) return 1
  if (right === null) return -1
  if (right.endsWith(left)) return 1
  return left.endsWith(right) ? -1 : 0
}

function addToLeaf<R extends TreeRoute>(node: RouteNode<R>, route: R): void {
  const isConstrained = constraintCount(route) > 0
  if (isConstrained || node.constrained !== null) {
    const before = node.constrained ?? (node.route && addConstrained(null, node.route))
    node.constrained = addConstrained(before, route)
  }
  if (!isConstrained) node.route = route
}
