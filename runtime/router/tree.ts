import { type ConstrainedLeaf, addConstrained, constraintCount } from './leaf.ts'
import { type ParamsShape, shapeOf } from './params.ts'
import { type ParamSlot, type PathOutline, parsedOf, wildcard } from './path.ts'
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
  readonly regex: RegExp | null
  readonly slot: ParamSlot | null
  /** The route that ends here and has no constraints. */
  route: R | null
  /** All routes that end here, once one of them has constraints. */
  constrained: ConstrainedLeaf<R> | null
}

// Shared by all nodes without children, and replaced, never changed, when they get some.
const noChildren: never[] = []
const noBuckets: null[] = [null]

/** The root of a tree. It stands after the slash that every path but `*` starts with. */
export function createRoot<R extends TreeRoute>(): RouteNode<R> {
  return createStaticNode('/', 0, 1, [])
}

/** A static node below which `routes` are still to be sorted in. */
function createStaticNode<R extends TreeRoute>(
  prefix: string,
  depth: number,
  offset: number,
  routes: R[],
): RouteNode<R> {
  return createNode('static', prefix, depth, offset, routes, null)
}

/** Adds a route below a node: at once as far as the tree has grown, the rest when it is needed. */
export function insert<R extends TreeRoute>(root: RouteNode<R>, route: R): void {
  let node: RouteNode<R> | null = root
  while (node !== null && node.pending === null) {
    node = sortIn(node, route)
  }
  node?.pending?.push(route)
}

/**
 * Sorts the pending routes of a node into its children; called before anything below is read.
 *
 * The loop does the usual case itself, a route that only passes on to a child that waits as well: a
 * function called a thousand times here sets the optimizing compiler to work, which takes several
 * times as long as all the rest of a cold start's routing.
 */
export function grow<R extends TreeRoute>(node: RouteNode<R>): void {
  const { depth, offset } = node
  const routes = node.pending ?? []
  node.pending = null
  for (let i = 0; i < routes.length; i++) {
    const route = routes[i]!
    if (depth === 0 && offset < route.leadEnd) {
      const { buckets } = node
      const code = codeAt(route.lead, offset)
      let child = buckets[code & (buckets.length - 1)]!
      while (child !== null && child.code !== code) {
        child = child.sibling!
      }
      if (
        child !== null &&
        offset + child.prefix.length <= route.leadEnd &&
        route.lead.startsWith(child.prefix, offset)
      ) {
        // Children of a node that is growing have not grown yet.
        child.pending!.push(route)
        continue
      }
    }
    sortIn(node, route)?.pending?.push(route)
  }
}

/** Moves a route one node down; gives the node that it goes on to, or `null` when it has arrived. */
function sortIn<R extends TreeRoute>(node: RouteNode<R>, route: R): RouteNode<R> | null {
  if (node.depth === 0) {
    if (node.offset < route.leadEnd) {
      return sortIntoStatic(node, route.lead, route.leadEnd, route)
    }
  } else {
    const text = parsedOf(route).texts[node.depth] ?? ''
    if (node.offset < text.length) {
      return sortIntoStatic(node, text, text.length, route)
    }
  }
  const slot = parsedOf(route).slots[node.depth]
  if (slot === undefined) {
    addToLeaf(node, route)
    return null
  }
  if (slot === wildcard) {
    addToLeaf(wildcardChild(node), route)
    return null
  }
  return paramChild(node, slot)
}

function sortIntoStatic<R extends TreeRoute>(
  node: RouteNode<R>,
  text: string,
  end: number,
  route: R,
): RouteNode<R> | null {
  const { offset } = node
  const child = staticChild(node, codeAt(text, offset))
  if (child === null) {
    addStaticChild(node, createStaticNode(text.slice(offset, end), node.depth, end, [route]))
    return null
  }
  const { prefix } = child
  if (offset + prefix.length <= end && text.startsWith(prefix, offset)) {
    return child
  }
  const common = commonLength(prefix, text, offset, end)
  if (child.pending === null) {
    split(child, common)
  } else {
    // Nothing has been sorted by the longer prefix yet.
    child.offset = offset + common
    child.prefix = prefix.slice(0, common)
    child.codes = null
  }
  return child
}

/** Length of what `prefix` has in common with the text between `offset` and `end`. */
function commonLength(prefix: string, text: string, offset: number, end: number): number {
  const max = Math.min(prefix.length, end - offset)
  let i = 1
  while (i < max && prefix.charCodeAt(i) === text.charCodeAt(offset + i)) {
    i++
  }
  return i
}

/** Shortens the prefix of a grown node to `length`; what it had goes to a child with the rest. */
function split<R extends TreeRoute>(node: RouteNode<R>, length: number): void {
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

/** Puts a new root for the path `*` above the one of all other paths, which starts after `/`. */
export function createWildcardRoot<R extends TreeRoute>(slashRoot: RouteNode<R>): RouteNode<R> {
  const root = createStaticNode<R>('', 0, 0, [])
  root.pending = null
  addStaticChild(root, slashRoot)
  return root
}

function addStaticChild<R extends TreeRoute>(node: RouteNode<R>, child: RouteNode<R>): void {
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

function wildcardChild<R extends TreeRoute>(node: RouteNode<R>): RouteNode<R> {
  let child = fallback(node, wildcard)
  if (child === undefined) {
    child = createNode<R>('wildcard', '', node.depth + 1, 0, null, wildcard)
    node.fallbacks = [...node.fallbacks, child]
  }
  return child
}

function paramChild<R extends TreeRoute>(node: RouteNode<R>, slot: ParamSlot): RouteNode<R> {
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
  if (a.regex === null) {
    return 1
  }
  if (b.regex === null) {
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

function addToLeaf<R extends TreeRoute>(node: RouteNode<R>, route: R): void {
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
  const source = slot?.source ?? null
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
    regex: source === null ? null : new RegExp(source),
    slot,
    route: null,
    constrained: null,
  }
}
