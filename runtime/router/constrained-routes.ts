/** Chooses among the routes of a path by their constraints. */
import type { ConstraintStorage, ConstraintStrategy, Constraints, RouteOptions } from './types.ts'

/** The maximum number of routes that differ only in constraints: each takes one bit. */
export const maxConstrainedRoutes = 32

interface LeafRoute {
  readonly opts: RouteOptions
}

type Strategy = Pick<ConstraintStrategy, 'storage' | 'mustMatchWhenDerived'>

export interface StrategySource {
  readonly strategies: ReadonlyMap<string, Strategy>
  /** Strategies whose value in a request excludes routes without this constraint. */
  readonly mustMatch: readonly string[]
}

/** The routes of a path that differ in their constraints. */
export interface ConstrainedLeaf<R extends LeafRoute> {
  /** Sorted by the number of constraints, then in the order of registration. */
  readonly routes: R[]
  /** One test for each constraint, created by the first look-up. */
  tests: ConstraintTest[] | null
}

interface ConstraintTest {
  readonly name: string
  /** `null` if no route here has the constraint: then requests with a value for it don't match. */
  readonly storage: ConstraintStorage | null
  /** Bits of the routes without this constraint. */
  readonly withoutConstraint: number
  readonly mustMatch: boolean
}

export function addConstrained<R extends LeafRoute>(
  leaf: ConstrainedLeaf<R> | null,
  route: R,
): ConstrainedLeaf<R> {
  if (leaf === null) return { routes: [route], tests: null }
  leaf.routes.push(route)
  leaf.routes.sort((a, b) => constraintCount(a) - constraintCount(b))
  leaf.tests = null
  return leaf
}

export function constraintCount(route: LeafRoute): number {
  const { constraints } = route.opts
  return constraints === undefined ? 0 : Object.keys(constraints).length
}

/** Returns the route with the most constraints that matches the values of a request. */
export function matchConstrained<R extends LeafRoute>(
  leaf: ConstrainedLeaf<R>,
  derived: Constraints,
  constrainer: StrategySource,
): R | null {
  const tests = (leaf.tests ??= makeTests(leaf.routes, constrainer))
  // Without `| 0`, the full set of 32 bits would be a heap number instead of -1.
  let candidates = (-1 >>> (maxConstrainedRoutes - leaf.routes.length)) | 0
  for (const { name, storage, withoutConstraint, mustMatch } of tests) {
    const value = derived[name]
    if (value === undefined) {
      candidates &= withoutConstraint
    } else {
      const matches = (storage?.get(value) ?? 0) as number
      candidates &= mustMatch ? matches : matches | withoutConstraint
    }
    if (candidates === 0) return null
  }
  return leaf.routes[31 - Math.clz32(candidates)]!
}

function makeTests(
  routes: readonly LeafRoute[],
  { strategies, mustMatch }: StrategySource,
): ConstraintTest[] {
  const used = new Set(routes.flatMap(({ opts }) => Object.keys(opts.constraints ?? {})))
  return [...new Set([...used, ...mustMatch])].map((name) =>
    makeTest(name, routes, strategies.get(name), used.has(name)),
  )
}

function makeTest(
  name: string,
  routes: readonly LeafRoute[],
  strategy: Strategy | undefined,
  isUsed: boolean,
): ConstraintTest {
  const storage = isUsed && strategy ? strategy.storage() : null
  let withoutConstraint = -1
  routes.forEach((route, i) => {
    const value = route.opts.constraints?.[name]
    if (value !== undefined) {
      const bit = 1 << i
      // A storage may return the entry of another value, as for host patterns: keep its bits.
      storage?.set(value, ((storage.get(value) as number) || 0) | bit)
      withoutConstraint &= ~bit
    }
  })
  return { name, storage, withoutConstraint, mustMatch: Boolean(strategy?.mustMatchWhenDerived) }
}
