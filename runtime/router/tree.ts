import {
  type RouteNode,
  type TreeRoute,
  addStaticChild,
  addToLeaf,
  codeAt,
  createStaticNode,
  paramChild,
  splitStatic,
  staticChild,
  wildcardChild,
} from './node.ts'
import { parsedOf } from './path.ts'
import { wildcard } from './slot.ts'

/** The root of a tree. It stands after the slash that every path but `*` starts with. */
export function createRoot<R extends TreeRoute>(): RouteNode<R> {
  return createStaticNode('/', 0, 1, [])
}

/** Puts a new root for the path `*` above the one of all other paths, which starts after `/`. */
export function createWildcardRoot<R extends TreeRoute>(slashRoot: RouteNode<R>): RouteNode<R> {
  const root = createStaticNode<R>('', 0, 0, [])
  root.pending = null
  addStaticChild(root, slashRoot)
  return root
}

/** Adds a route below a node: at once as far as the tree has grown, the rest when it is needed. */
export function insert<R extends TreeRoute>(root: RouteNode<R>, route: R): void {
  let node: RouteNode<R> | null = root
  while (node !== null && node.pending === null) {
    node = sortIn(node, route)
  }
  node?.pending?.push(route)
}

/** So many routes are sorted in by one call. */
const BATCH = 64

/** Sorts the pending routes of a node into its children; called before anything below is read. */
export function grow<R extends TreeRoute>(node: RouteNode<R>): void {
  const routes = node.pending ?? []
  node.pending = null
  // In a loop over a thousand routes an engine would exchange the function while it runs, twice and at great cost.
  for (let from = 0; from < routes.length; from += BATCH) sortBatch(node, routes, from)
}

/**
 * Does the usual case itself, a route that only passes on to a child that waits as well: a function called a thousand
 * times here sets the optimizing compiler to work, which takes several times as long as all the rest of a cold start's
 * routing.
 */
function sortBatch<R extends TreeRoute>(
  node: RouteNode<R>,
  routes: readonly R[],
  from: number,
): void {
  const { depth, offset } = node
  const end = Math.min(from + BATCH, routes.length)
  for (let i = from; i < end; i++) {
    const route = routes[i]!
    if (depth === 0 && offset < route.leadEnd) {
      const { buckets } = node
      const code = route.lead.charCodeAt(offset)
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
    splitStatic(child, common)
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
