import { type StrategySource, matchConstrained } from './constrained-routes.ts'
import { type ParamSlot, wildcard } from './param-slot.ts'
import { grow, type RouteNode, type TreeRoute } from './tree.ts'
import type { Constraints } from './types.ts'
import { decodeReserved } from './url.ts'

/** A node to return to if the current branch doesn't lead to a route. */
interface Choice<R extends TreeRoute> {
  readonly node: RouteNode<R>
  readonly index: number
  readonly valueCount: number
  /** Index of the next fallback to try. */
  next: number
  readonly before: Choice<R> | null
}

/** The result for a parameter value that is too long. */
export const TOO_LONG: unique symbol = Symbol('too long')

/**
 * Walks down the tree along a path. Returns the first route that matches: at each node it tries static text, then regular expressions,
 * then the parameter, then the wildcard.
 *
 * @param path the path that static text is compared with, in lower case if the router ignores case
 * @param original the path that parameter values are taken from
 * @param isEncoded whether values have to go through `decodeReserved`
 * @param values receives the parameter values of the route
 * @param isVersion9 find-my-way 9 skips segments in which a parameter is too long in any case, and has no undefined values
 */
export function match<R extends TreeRoute>(
  root: RouteNode<R>,
  path: string,
  original: string,
  isEncoded: boolean,
  maxParamLength: number,
  derived: Constraints | undefined,
  strategies: StrategySource,
  values: (string | undefined)[],
  isVersion9: boolean,
): R | typeof TOO_LONG | null {
  let node = root
  let index = root.prefix.length
  let choice: Choice<R> | null = null
  /** True if the segment doesn't match `node`. */
  let isMismatch = false
  let isTooLong = false

  for (;;) {
    if (!isMismatch) {
      if (node.pending !== null) grow(node)
      if (index < path.length) {
        const child = node.children.get(path.charCodeAt(index))
        if (child !== undefined && path.startsWith(child.prefix, index)) {
          if (node.fallbacks.length > 0) {
            choice = { node, index, valueCount: values.length, next: 0, before: choice }
          }
          node = child
          index += child.prefix.length
          continue
        }
      } else if (index === path.length) {
        const route = matchLeaf(node, derived, strategies)
        if (route !== null) return route
      }
    }

    const { fallbacks } = node
    const [first] = fallbacks
    if (!isMismatch && first !== undefined) {
      if (fallbacks.length > 1) {
        choice = { node, index, valueCount: values.length, next: 1, before: choice }
      }
      node = first
    } else if (choice !== null) {
      isMismatch = false
      node = choice.node.fallbacks[choice.next]!
      index = choice.index
      values.length = choice.valueCount
      choice.next++
      if (choice.next === choice.node.fallbacks.length) choice = choice.before
    } else {
      return isTooLong ? TOO_LONG : null
    }

    const slot = node.slot as ParamSlot
    const slash = slot === wildcard ? -1 : original.indexOf('/', index)
    const raw = slash === -1 ? original.slice(index) : original.slice(index, slash)
    const value = isEncoded ? decodeReserved(raw) : raw
    if (slot.matcher === null) {
      if (slot !== wildcard && value.length > maxParamLength) {
        isTooLong = isMismatch = true
        continue
      }
      values.push(value)
    } else {
      if (isVersion9 && value.length > maxSegmentLength(slot, maxParamLength)) {
        isTooLong = isMismatch = true
        continue
      }
      const groups = slot.matcher.exec(value)
      if (groups === null) {
        isMismatch = true
        continue
      }
      for (let i = 1; i < groups.length; i++) {
        // A group inside another one may be left out.
        const group = groups[i]
        if (group !== undefined && group.length > maxParamLength) {
          isTooLong = isMismatch = true
        }
        values.push(isVersion9 ? (group ?? '') : group)
      }
      if (isMismatch) continue
    }
    // `path` may be longer or shorter than `original`: a few letters change their length in lower case.
    index = slash === -1 ? path.length : slash
  }
}

/** Returns the length above which one parameter of a segment is too long in any case. */
function maxSegmentLength({ texts }: ParamSlot, maxParamLength: number): number {
  return texts.length * maxParamLength + texts.join('').length
}

function matchLeaf<R extends TreeRoute>(
  node: RouteNode<R>,
  derived: Constraints | undefined,
  strategies: StrategySource,
): R | null {
  if (derived === undefined) return node.route
  if (node.constrained !== null) return matchConstrained(node.constrained, derived, strategies)
  if (node.route === null || strategies.mustMatch.some((name) => derived[name] !== undefined)) {
    return null
  }
  return node.route
}
