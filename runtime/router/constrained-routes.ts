import type { ConstraintStorage, ConstraintStrategy, Constraints, RouteOptions } from './types.ts'

/** Most routes that one leaf can hold when there are constraints: one bit each. */
export const maxConstrainedRoutes = 32

/** What a leaf has to know of a route. */
export interface LeafRoute {
  readonly opts: RouteOptions
}

/** What a leaf has to know of the router's strategies. */
export interface StrategySource {
  readonly strategies: ReadonlyMap<
    string,
    Pick<ConstraintStrategy, 'storage' | 'mustMatchWhenDerived'>
  >
  /** Strategies whose value in a request excludes routes that do not ask for it. */
  readonly mustMatch: readonly string[]
}

/** The routes of one leaf that are told apart by constraints. */
export interface ConstrainedLeaf<R extends LeafRoute> {
  /** From the least to the most constrained; among equals in the order of registration. */
  readonly routes: R[]
  /** One test per constraint that occurs, made by the first look-up. */
  tests: ConstraintTest[] | null
  /** Constraints that no route here asks for and that a request therefore must not have. */
  foreign: readonly string[]
}

interface ConstraintTest {
  readonly name: string
  readonly storage: ConstraintStorage
  /** Bits of the routes that do not ask for this constraint. */
  readonly withoutConstraint: number
  readonly mustMatch: boolean
}

/** Adds a route to a leaf, before the first less constrained one. */
export function addConstrained<R extends LeafRoute>(
  leaf: ConstrainedLeaf<R> | null,
  route: R,
): ConstrainedLeaf<R> {
  if (leaf === null) {
    return { routes: [route], tests: null, foreign: [] }
  }
  leaf.routes.push(route)
  leaf.routes.sort((a, b) => constraintCount(a) - constraintCount(b))
  leaf.tests = null
  return leaf
}

/** Number of constraints that a route asks for. */
export function constraintCount(route: LeafRoute): number {
  const { constraints } = route.opts
  return constraints === undefined ? 0 : Object.keys(constraints).length
}

/** The most constrained route of the leaf that a request with these values may go to. */
export function matchConstrained<R extends LeafRoute>(
  leaf: ConstrainedLeaf<R>,
  derived: Constraints,
  constrainer: StrategySource,
): R | null {
  const tests = (leaf.tests ??= makeTests(leaf, constrainer))
  // `>>>` would make the full set of 32 bits a heap number; as a signed number it is -1.
  let candidates = (-1 >>> (maxConstrainedRoutes - leaf.routes.length)) | 0
  for (const { name, storage, withoutConstraint, mustMatch } of tests) {
    const value = derived[name]
    if (value === undefined) {
      candidates &= withoutConstraint
    } else {
      const matches = storage.get(value) as number
      candidates &= mustMatch ? matches : matches | withoutConstraint
    }
    if (candidates === 0) {
      return null
    }
  }
  for (const name of leaf.foreign) {
    if (derived[name] !== undefined) {
      return null
    }
  }
  return leaf.routes[31 - Math.clz32(candidates)]!
}

function makeTests<R extends LeafRoute>(
  leaf: ConstrainedLeaf<R>,
  constrainer: StrategySource,
): ConstraintTest[] {
  const tests = new Map<string, ConstraintTest>()
  for (const route of leaf.routes) {
    for (const name of Object.keys(route.opts.constraints ?? {})) {
      if (!tests.has(name)) {
        tests.set(name, makeTest(name, leaf.routes, constrainer))
      }
    }
  }
  leaf.foreign = constrainer.mustMatch.filter((name) => !tests.has(name))
  return [...tests.values()]
}

function makeTest(
  name: string,
  routes: readonly LeafRoute[],
  constrainer: StrategySource,
): ConstraintTest {
  const strategy = constrainer.strategies.get(name)!
  const storage = strategy.storage()
  let withoutConstraint = -1
  routes.forEach((route, i) => {
    const value = route.opts.constraints?.[name]
    if (value !== undefined) {
      const bit = 1 << i
      // A storage may count one value as another (host patterns do): keep what is there.
      storage.set(value, ((storage.get(value) as number) || 0) | bit)
      withoutConstraint &= ~bit
    }
  })
  return { name, storage, withoutConstraint, mustMatch: strategy.mustMatchWhenDerived === true }
}
