/** The routes of one method: adds and finds them by pattern and constraints. */
import { areEqual } from './equal.ts'
import { maxConstrainedRoutes } from './constrained-routes.ts'
import type { ParsedPath } from './path.ts'
import type { RouteNode, TreeRoute } from './node.ts'
import { createRoot, createWildcardRoot, insert } from './tree.ts'
import type { Constraints, RegisteredRoute, RouteOptions } from './types.ts'

/** A registered route. */
export interface Route<Req, Res, Store> extends RegisteredRoute<Req, Res, Store>, TreeRoute {
  readonly path: string
  readonly pattern: string
  readonly opts: RouteOptions
  /** The route with the same method and pattern that was added before this one. Their constraints differ. */
  previous: Route<Req, Res, Store> | null
}

/** The routes of one method. */
export interface RouteTable<Req, Res, Store> {
  root: RouteNode<Route<Req, Res, Store>>
  /** The last added route of each pattern. */
  readonly patterns: Map<string, Route<Req, Res, Store>>
}

const noConstraints: Constraints = {}

export function createTable<Req, Res, Store>(): RouteTable<Req, Res, Store> {
  return { root: createRoot(), patterns: new Map() }
}

/** Adds a route. Throws if there is one with the same pattern and constraints. */
export function addRoute<Req, Res, Store>(
  table: RouteTable<Req, Res, Store>,
  route: Route<Req, Res, Store>,
): void {
  const previous = table.patterns.get(route.pattern) ?? null
  if (previous !== null) {
    assertDistinct(route, previous)
  }
  route.previous = previous
  table.patterns.set(route.pattern, route)
  if (route.path === '*' && table.root.prefix !== '') {
    table.root = createWildcardRoot(table.root)
  }
  const { pending } = table.root
  if (pending === null) insert(table.root, route)
  else pending.push(route)
}

/** Returns the route with the same pattern, regular expressions and constraints. */
export function findRoute<Req, Res, Store>(
  table: RouteTable<Req, Res, Store>,
  asked: ParsedPath,
  constraints: Constraints,
): Route<Req, Res, Store> | null {
  let route = table.patterns.get(asked.pattern) ?? null
  while (route !== null && !(haveSameSlots(route, asked) && wants(route, constraints))) {
    route = route.previous
  }
  return route
}

/** Returns whether a route has exactly these constraints. */
export function wants<Req, Res, Store>(
  route: RegisteredRoute<Req, Res, Store>,
  constraints: Constraints,
): boolean {
  return areEqual(route.opts.constraints ?? noConstraints, constraints)
}

function assertDistinct<Req, Res, Store>(
  route: Route<Req, Res, Store>,
  last: Route<Req, Res, Store>,
): void {
  const constraints = route.opts.constraints ?? noConstraints
  let atSameLeaf = 0
  for (let previous: typeof last | null = last; previous !== null; previous = previous.previous) {
    if (wants(previous, constraints)) {
      throw new Error(
        `Method '${route.method}' already declared for route '${route.pattern}' with constraints '${JSON.stringify(constraints)}'`,
      )
    }
    if (haveSameSlots(route, previous)) {
      atSameLeaf++
    }
  }
  if (atSameLeaf >= maxConstrainedRoutes) {
    throw new Error(
      'find-my-way supports a maximum of 32 route handlers per node when there are constraints, limit reached',
    )
  }
}

/** Returns whether two paths of the same pattern have the same regular expressions. */
function haveSameSlots(a: ParsedPath, b: ParsedPath): boolean {
  return a.slots.every((slot, i) => slot.source === b.slots[i]?.source)
}
