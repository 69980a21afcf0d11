import { parsedOf } from './path.ts'
import { type StrategySource, matchConstrained } from './leaf.ts'
import { type RouteNode, type TreeRoute, grow } from './tree.ts'
import type { Constraints } from './types.ts'
import { decodeReserved } from './url.ts'

const SLASH = '/'

/** Where to go on when a branch led nowhere. */
interface Choice<R extends TreeRoute> {
  readonly node: RouteNode<R>
  readonly index: number
  readonly valueCount: number
  /** Index into the node's fallbacks. */
  next: number
  readonly before: Choice<R> | null
}

/**
 * Walks down the tree along a sanitized path; gives the first route that matches, in the order
 * static, regular expression, parameter, wildcard at each node.
 *
 * Parameter values are written into `values`, at least as many as the route has names.
 *
 * @param path what is compared with static text: `original`, in lower case if case is ignored
 * @param end where `path` ends; what follows in the string is the query
 * @param originalEnd the same for `original`: a few letters change their length with their case
 */
export function match<R extends TreeRoute>(
  root: RouteNode<R>,
  path: string,
  end: number,
  original: string,
  originalEnd: number,
  isEncoded: boolean,
  maxParamLength: number,
  derived: Constraints | undefined,
  strategies: StrategySource,
  values: (string | undefined)[],
): R | null {
  let node = root
  let index = root.prefix.length
  let count = 0
  let choice: Choice<R> | null = null

  for (;;) {
    if (node.pending !== null) {
      grow(node)
    }
    if (index === end) {
      const route = matchLeaf(node, derived, strategies)
      if (route !== null) {
        for (let i = count; i < parsedOf(route).params.length; i++) {
          values[i] = undefined
        }
        return route
      }
    }

    let next = nextStatic(node, path, index, end)
    const { fallbacks } = node
    if (next !== null) {
      if (fallbacks.length > 0) {
        choice = { node, index, valueCount: count, next: 0, before: choice }
      }
      node = next
      index += next.prefix.length
      continue
    }
    if (fallbacks.length > 0) {
      next = fallbacks[0]!
      if (fallbacks.length > 1) {
        choice = { node, index, valueCount: count, next: 1, before: choice }
      }
    } else if (choice !== null) {
      next = choice.node.fallbacks[choice.next]!
      index = choice.index
      count = choice.valueCount
      choice.next++
      if (choice.next === choice.node.fallbacks.length) {
        choice = choice.before
      }
    } else {
      return null
    }
    node = next

    if (node.kind === 'wildcard') {
      const value = original.slice(index, originalEnd)
      values[count++] = isEncoded ? decodeReserved(value) : value
      index = end
      continue
    }
    let valueEnd = original.indexOf(SLASH, index)
    if (valueEnd === -1 || valueEnd > end) {
      valueEnd = end
    }
    const segment = original.slice(index, valueEnd)
    const value = isEncoded ? decodeReserved(segment) : segment
    if (node.regex === null) {
      if (value.length > maxParamLength) {
        return null
      }
      values[count++] = value
    } else {
      const groups = node.regex.exec(value)
      if (groups === null) {
        // As in find-my-way, the walk goes on from here as if the segment were empty.
        continue
      }
      for (let i = 1; i < groups.length; i++) {
        const group = groups[i]!
        if (group.length > maxParamLength) {
          return null
        }
        values[count++] = group
      }
    }
    index = valueEnd
  }
}

function matchLeaf<R extends TreeRoute>(
  node: RouteNode<R>,
  derived: Constraints | undefined,
  strategies: StrategySource,
): R | null {
  if (derived === undefined) {
    return node.route
  }
  if (node.constrained !== null) {
    return matchConstrained(node.constrained, derived, strategies)
  }
  if (node.route === null || strategies.mustMatch.some((name) => derived[name] !== undefined)) {
    return null
  }
  return node.route
}

/** The static child whose whole prefix stands at `index`. */
function nextStatic<R extends TreeRoute>(
  node: RouteNode<R>,
  path: string,
  index: number,
  end: number,
): RouteNode<R> | null {
  const { buckets } = node
  const code = path.charCodeAt(index)
  let child = buckets[code & (buckets.length - 1)]!
  while (child !== null && child.code !== code) {
    child = child.sibling!
  }
  if (child === null) {
    return null
  }
  const { prefix } = child
  if (index + prefix.length > end) {
    return null
  }
  for (let i = 1; i < prefix.length; i++) {
    if (path.charCodeAt(index + i) !== prefix.charCodeAt(i)) {
      return null
    }
  }
  return child
}
