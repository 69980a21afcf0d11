import type { Binding, Origin, RouteNode } from '../model/index.ts'
import type { ManifestRoute } from './manifest.ts'

/**
 * How a part of a route stands: how it became known, `own` when the application brings the compiler for it, `dynamic`
 * when only the running application knows it.
 */
export type Standing = Origin | 'own' | 'dynamic'

/** Each part of a route with its standing; `bindings` are the route's own. */
export function standingsOf(
  route: RouteNode,
  bindings: readonly Binding[],
  external: readonly string[],
  dynamic: readonly { readonly part: string }[],
): Record<string, Standing> {
  const standings: Record<string, Standing> = {}
  for (const { httpPart, httpStatus, contentType, path } of bindings) {
    const part = [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
    standings[part] = route.schema?.originOf(path) ?? 'literal'
  }
  for (const part of external) standings[part] = 'own'
  for (const { part } of dynamic) standings[part] = 'dynamic'
  return standings
}

/** How many parts stand how, over all routes but HEAD twins. */
export function coverageOf(routes: readonly ManifestRoute[]): Record<Standing, number> {
  const coverage = { literal: 0, sliced: 0, traced: 0, own: 0, dynamic: 0 }
  for (const route of routes) {
    if (isTwin(route, routes)) continue
    for (const standing of Object.values(route.parts)) coverage[standing]++
  }
  return coverage
}

/** Whether a route is the HEAD twin that a GET route was given. @param routes all, which stay as they are */
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

/** The GET routes by where they are declared: thousands of twins cannot each go through all routes. */
function getsOf(routes: readonly ManifestRoute[]): ReadonlyMap<string, readonly ManifestRoute[]> {
  let known = getsByPlace.get(routes)
  if (known === undefined) {
    const groups = new Map<string, ManifestRoute[]>()
    for (const one of routes) {
      if (one.method !== 'GET') continue
      const group = groups.get(one.at)
      if (group === undefined) groups.set(one.at, [one])
      else group.push(one)
    }
    getsByPlace.set(routes, (known = groups))
  }
  return known
}

/** Where a prefix ends with a slash and the path starts with one, the twin has one of them. */
function withoutOneSlash(url: string): string[] {
  const doubled = [...url.matchAll(/\/(?=\/)/g)]
  return doubled.map(({ index }) => url.slice(0, index) + url.slice(index + 1))
}
