import { maxConstrainedRoutes } from './constrained-routes.ts'
import { equal } from '../generated/equal.ts'
import type { ParsedPath } from './path.ts'
import { createRoot, insert, type RouteNode, type TreeRoute } from './tree.ts'
import type { Constraints } from './types.ts'

interface TableRoute extends TreeRoute {
  readonly method: string
  readonly path: string
}

/** The routes of one method. */
export class RouteTable<R extends TableRoute> {
  root: RouteNode<R> = createRoot()
  readonly #byPattern = new Map<string, R[]>()

  /** Adds a route. Throws if there is one with the same pattern and constraints, or if too many differ only by constraints. */
  add(route: R): void {
    const similar = this.#byPattern.get(route.pattern)
    if (similar === undefined) {
      this.#byPattern.set(route.pattern, [route])
    } else {
      assertDistinct(route, similar)
      similar.push(route)
    }
    this.root = insert(this.root, route)
  }

  /** Returns the route with the same pattern, regular expressions and constraints. */
  find(path: ParsedPath, constraints: Constraints): R | undefined {
    return this.#byPattern
      .get(path.pattern)
      ?.find((route) => haveSameSlots(route, path) && equal(constraintsOf(route), constraints))
  }
}

function assertDistinct(route: TableRoute, similar: readonly TableRoute[]): void {
  const constraints = constraintsOf(route)
  if (similar.some((other) => equal(constraintsOf(other), constraints))) {
    throw new Error(
      `Method '${route.method}' already declared for route '${route.pattern}' with constraints '${JSON.stringify(constraints)}'`,
    )
  }
  if (similar.filter((other) => haveSameSlots(route, other)).length >= maxConstrainedRoutes) {
    throw new Error(
      'find-my-way supports a maximum of 32 route handlers per node when there are constraints, limit reached',
    )
  }
}

function constraintsOf({ opts }: TableRoute): Constraints {
  return opts.constraints ?? {}
}

/** Returns whether two paths of the same pattern have the same regular expressions. */
function haveSameSlots(a: ParsedPath, b: ParsedPath): boolean {
  return a.slots.every((slot, i) => slot.source === b.slots[i]?.source)
}
