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
import { parsedOf } from './path.ts'
import { wildcard } from './param-slot.ts'

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

/** Sorts the pending routes of a node into its children; called before anything below is read. */
export function grow<R extends TreeRoute>(node: RouteNode<R>): void {
  const routes = node.pending ?? []
  node.pending = null
  for (const route of routes) sortIn(node, route)?.pending?.push(route)
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
  const child = node.children.get(text.charCodeAt(offset))
  if (child === undefined) {
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
