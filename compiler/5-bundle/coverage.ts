import type { Binding, Origin, RouteNode } from '../model/index.ts'
import { groupBy } from '../util/group-by.ts'
import type { ManifestRoute } from './manifest.ts'

/**
 * Where the schema of a route's part comes from: how the build found it, `own` if the application brings a compiler for it,
 * `dynamic` if only the running application knows it.
 */
export type PartStatus = Origin | 'own' | 'dynamic'

/** Returns the status of each part of a route. `bindings` are those of the route alone. */
export function statusesOf(
  route: RouteNode,
  bindings: readonly Binding[],
  external: readonly string[],
  dynamic: readonly { readonly part: string }[],
): Record<string, PartStatus> {
  const statuses: Record<string, PartStatus> = {}
  for (const { httpPart, httpStatus, contentType, path } of bindings) {
    const part = [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
    statuses[part] = route.schema?.originOf(path) ?? 'literal'
  }
  for (const part of external) statuses[part] = 'own'
  for (const { part } of dynamic) statuses[part] = 'dynamic'
  return statuses
}

/** Counts parts by status. */
export function coverageOf(routes: readonly ManifestRoute[]): Record<PartStatus, number> {
  const coverage = { literal: 0, sliced: 0, traced: 0, own: 0, dynamic: 0 }
  for (const route of declaredRoutes(routes))
    for (const status of Object.values(route.parts)) coverage[status]++
  return coverage
}

/**
 * Returns the routes without HEAD twins. If a schema depends on a condition, its alternatives are one route, whose parts are dynamic if
 * those of one alternative are.
 */
export function declaredRoutes(routes: readonly ManifestRoute[]): readonly ManifestRoute[] {
  const declared = new Map<string, ManifestRoute>()
  for (const route of routes) {
    if (isTwin(route, routes)) continue
    const { method, url, context, at, constraints } = route
    const key = JSON.stringify([method, url, context, at, constraints])
    const dynamic = [...(declared.get(key)?.dynamic ?? []), ...route.dynamic]
    const unknown = Object.fromEntries(dynamic.map(({ part }) => [part, 'dynamic' as const]))
    const parts = { ...declared.get(key)?.parts, ...route.parts, ...unknown }
    declared.set(key, { ...route, parts, dynamic })
  }
  return [...declared.values()]
}

/** Returns whether a route is the HEAD route that a GET route got automatically. @param routes all, in an array that isn't changed */
export function isTwin(route: ManifestRoute, routes: readonly ManifestRoute[]): boolean {
  if (route.method !== 'HEAD' || route.methods !== undefined) return false
  const declaredThere = getsOf(routes).get(route.at) ?? []
  return declaredThere.some(
    ({ url }) => url === route.url || withoutOneSlash(url).includes(route.url),
  )
}

const getsByPlace = new WeakMap<
  readonly ManifestRoute[],
  ReadonlyMap<string, readonly ManifestRoute[]>
>()

/** Groups GET routes by their place, so that thousands of twins need no search each. */
function getsOf(routes: readonly ManifestRoute[]): ReadonlyMap<string, readonly ManifestRoute[]> {
  let known = getsByPlace.get(routes)
  if (known === undefined) {
    known = groupBy(
      routes.filter(({ method }) => method === 'GET'),
      ({ at }) => at,
    )
    getsByPlace.set(routes, known)
  }
  return known
}

/** Returns the URL with one of two slashes removed: a prefix may end with one and the path start with one. */
function withoutOneSlash(url: string): string[] {
  const doubled = [...url.matchAll(/\/(?=\/)/g)]
  return doubled.map(({ index }) => url.slice(0, index) + url.slice(index + 1))
}
