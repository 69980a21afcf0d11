import type { Binding, BindingSite, Origin, PartOrigin, RouteNode } from '../model/index.ts'
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
  for (const binding of bindings) {
    const origin = route.schema?.origins.find(({ path }) => overlap(path, binding.path))
    statuses[partOf(binding)] = origin?.origin ?? 'literal'
  }
  for (const part of external) statuses[part] = 'own'
  for (const { part } of dynamic) statuses[part] = 'dynamic'
  return statuses
}

/** Returns the name of a part: `body`, `body text/plain`, `2xx application/json`. */
export function partOf({ httpPart, httpStatus, contentType }: BindingSite): string {
  return [httpPart ?? httpStatus, contentType].filter(Boolean).join(' ')
}

/** Returns whether a part is a response, by its name. */
export function isResponse(part: string): boolean {
  return /^(?:[1-5]|default|response)/.test(part)
}

/** Returns whether one of two paths leads through the other. */
function overlap(a: PartOrigin['path'], b: PartOrigin['path']): boolean {
  return a.every((key, index) => index >= b.length || key === b[index])
}

export function coverageOf(routes: readonly ManifestRoute[]): Record<PartStatus, number> {
  const coverage = { literal: 0, sliced: 0, traced: 0, own: 0, dynamic: 0 }
  for (const route of declaredRoutes(routes))
    for (const status of Object.values(route.parts)) coverage[status]++
  return coverage
}

/**
 * Returns the routes without HEAD twins. If a schema depends on a condition, its alternatives are one route, whose parts are dynamic if
 * those of one alternative are. A library's type that only one alternative has is uncertain.
 */
export function declaredRoutes(routes: readonly ManifestRoute[]): readonly ManifestRoute[] {
  const declared = new Map<string, ManifestRoute>()
  for (const route of routes) {
    if (route.isTwin) continue
    const { method, url, context, at, constraints } = route
    const key = JSON.stringify([method, url, context, at, constraints])
    const dynamic = [...(declared.get(key)?.dynamic ?? []), ...route.dynamic]
    const unknown = Object.fromEntries(dynamic.map(({ part }) => [part, 'dynamic' as const]))
    const known = declared.get(key)
    const parts = { ...known?.parts, ...route.parts, ...unknown }
    const opaque = [...(known?.opaque ?? []), ...(route.opaque ?? [])]
    const libraries = { ...known?.libraries, ...route.libraries }
    declared.set(key, { ...route, parts, dynamic, opaque, libraries })
  }
  return [...declared.values()].map(withUncertainTypes)
}

function withUncertainTypes(route: ManifestRoute): ManifestRoute {
  const uncertain = (route.opaque ?? []).flatMap((part) => {
    const library = route.libraries?.[part]
    if (library === undefined) return []
    const refusals = [...(library.refusals ?? []), 'the running application may have another one']
    return [[part, { ...library, refusals }] as const]
  })
  return uncertain.length === 0
    ? route
    : { ...route, libraries: { ...route.libraries, ...Object.fromEntries(uncertain) } }
}
