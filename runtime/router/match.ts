import { type StrategySource, matchConstrained } from './leaf.ts'
import { type RouteNode, type TreeRoute, codeAt } from './node.ts'
import { grow } from './tree.ts'
import type { Constraints } from './types.ts'
import { decodeReserved, endOfPlainPath, endsPath } from './url.ts'

/** What a walk along a URL found; used again for the next one. */
export interface Walk {
  /** Parameter values of the route that was found, at least as many as it has names. */
  readonly values: (string | undefined)[]
  /** Where the path of a raw URL ends. */
  end: number
}

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
 * Walks down the tree along a URL; gives the first route that matches, in the order static, regular
 * expression, parameter, wildcard at each node.
 *
 * A raw URL is one as it came, perhaps with a query: static text is found in it without looking for
 * special characters first. It gives `null` as well when a percent sign stands in a value.
 *
 * @param path what is compared with static text
 * @param original what values are cut from: `path` before its case was changed
 * @param isEncoded whether values have to go through `decodeReserved`
 */
export function match<R extends TreeRoute>(
  root: RouteNode<R>,
  path: string,
  original: string,
  isRaw: boolean,
  isEncoded: boolean,
  maxParamLength: number,
  derived: Constraints | undefined,
  strategies: StrategySource,
  walk: Walk,
): R | null {
  const { values } = walk
  const { length } = path
  // Where values end at the latest; -1 until the first value of a raw URL is cut.
  let limit = isRaw ? -1 : original.length
  let node = root
  let index = root.prefix.length
  let count = 0
  let choice: Choice<R> | null = null

  // Whether the segment is not what `node` wants.
  let isMismatch = false

  for (;;) {
    if (!isMismatch) {
      if (node.pending !== null) {
        grow(node)
      }
      let isEnd = index === length
      // Reading past the end of a string makes the compiled code slow for good.
      if (index < length) {
        const code = path.charCodeAt(index)
        const child = staticChildAt(node, path, index, code)
        if (child !== null) {
          if (node.fallbacks.length > 0) {
            choice = { node, index, valueCount: count, next: 0, before: choice }
          }
          node = child
          index += child.prefix.length
          continue
        }
        isEnd = isRaw && endsPath(code)
      }
      if (isEnd) {
        const route = matchLeaf(node, derived, strategies)
        if (route !== null) {
          for (let i = count; i < route.shape!.names.length; i++) {
            values[i] = undefined
          }
          walk.end = index
          return route
        }
      }
    }

    const { fallbacks } = node
    if (!isMismatch && fallbacks.length > 0) {
      if (fallbacks.length > 1) {
        choice = { node, index, valueCount: count, next: 1, before: choice }
      }
      node = fallbacks[0]!
    } else if (choice !== null) {
      isMismatch = false
      node = choice.node.fallbacks[choice.next]!
      index = choice.index
      if (isRaw) {
        // What was looked through starts after this index.
        limit = -1
      }
      count = choice.valueCount
      choice.next++
      if (choice.next === choice.node.fallbacks.length) {
        choice = choice.before
      }
    } else {
      return null
    }

    if (limit === -1) {
      limit = endOfPlainPath(path, index)
      if (limit === -1) {
        return null
      }
    }
    const isWildcard = node.kind === 'wildcard'
    let end = isWildcard ? limit : original.indexOf('/', index)
    if (end === -1 || end > limit) {
      end = limit
    }
    const raw = original.slice(index, end)
    const value = isEncoded ? decodeReserved(raw) : raw
    if (!isRaw && end === limit) {
      // Not the same number: a few letters change their length with their case.
      end = length
    }
    if (isWildcard) {
      values[count++] = value
    } else if (node.matcher === null) {
      if (value.length > maxParamLength) {
        return null
      }
      values[count++] = value
    } else {
      const groups = node.matcher.exec(value)
      if (groups === null) {
        isMismatch = true
        continue
      }
      for (let i = 1; i < groups.length; i++) {
        // A group inside another one may be left out.
        const group = groups[i]
        if (group !== undefined && group.length > maxParamLength) {
          return null
        }
        values[count++] = group
      }
    }
    index = end
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

/** The static child whose whole prefix stands at `index`, where the character has that code. */
function staticChildAt<R extends TreeRoute>(
  node: RouteNode<R>,
  path: string,
  index: number,
  code: number,
): RouteNode<R> | null {
  const { buckets } = node
  let child = buckets[code & (buckets.length - 1)]!
  while (child !== null && child.code !== code) {
    child = child.sibling!
  }
  if (child === null) {
    return null
  }
  const codes = (child.codes ??= codesOf(child.prefix))
  if (index + codes.length > path.length) {
    return null
  }
  for (let i = 1; i < codes.length; i++) {
    if (path.charCodeAt(index + i) !== codes[i]) {
      return null
    }
  }
  return child
}

/** Codes of a prefix: comparing with numbers is twice as fast as with another string. */
function codesOf(prefix: string): number[] {
  return Array.from(prefix, (_, i) => codeAt(prefix, i))
}
