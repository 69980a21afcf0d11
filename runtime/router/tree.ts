/** Adds routes to the radix tree. */
import {
  type RouteNode,
  type TreeRoute,
  addStaticChild,
  addToLeaf,
  createStaticNode,
  paramChild,
  splitStatic,
  wildcardChild,
} from './node.ts'
import { wildcard } from './param-slot.ts'

/** Creates the root of a tree: the slash that every path but `*` starts with. */
export function createRoot<R extends TreeRoute>(): RouteNode<R> {
  return createStaticNode('/', 0, 1, [])
}

/** Creates a root for the path `*`, with the root of all other paths below it. */
export function createWildcardRoot<R extends TreeRoute>(slashRoot: RouteNode<R>): RouteNode<R> {
  const root = createStaticNode<R>('', 0, 0, [])
  root.pending = null
  addStaticChild(root, slashRoot)
  return root
}

/** Adds a route: down to the first node whose children aren't created yet. */
export function insert<R extends TreeRoute>(root: RouteNode<R>, route: R): void {
  let node: RouteNode<R> | null = root
  while (node !== null && node.pending === null) {
    node = sortIn(node, route)
  }
  node?.pending?.push(route)
}

/** Creates the children of a node from its pending routes. */
export function grow<R extends TreeRoute>(node: RouteNode<R>): void {
  const routes = node.pending ?? []
  node.pending = null
  for (const route of routes) sortIn(node, route)?.pending?.push(route)
}

/** Adds a route to a child of a node. Returns the child, or `null` if nothing is left to add. */
function sortIn<R extends TreeRoute>(node: RouteNode<R>, route: R): RouteNode<R> | null {
  const text = route.texts[node.depth] ?? ''
  if (node.offset < text.length) return sortIntoStatic(node, text, route)
  const slot = route.slots[node.depth]
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
  route: R,
): RouteNode<R> | null {
  const { offset } = node
  const child = node.children.get(text.charCodeAt(offset))
  if (child === undefined) {
    addStaticChild(node, createStaticNode(text.slice(offset), node.depth, text.length, [route]))
    return null
  }
  const { prefix } = child
  if (text.startsWith(prefix, offset)) {
    return child
  }
  const common = commonLength(prefix, text, offset)
  if (child.pending === null) {
    splitStatic(child, common)
  } else {
    // It has no children yet, so it only needs a shorter prefix.
    child.offset = offset + common
    child.prefix = prefix.slice(0, common)
  }
  return child
}

/** Returns the length of the common prefix of `prefix` and the text from `offset` on. */
function commonLength(prefix: string, text: string, offset: number): number {
  let i = 1
  while (i < prefix.length && prefix[i] === text[offset + i]) i++
  return i
}
