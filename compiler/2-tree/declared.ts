/** Declares the routes to the runtime's router. */
import { createRouter, isHttpMethod, type Router } from '../../runtime/router/index.ts'
import type { TargetProfile } from '../target-profiles/index.ts'
import type {
  Report,
  ScannedContext,
  ScannedInstance,
  ScannedRoute,
  SourceLocation,
} from '../model/index.ts'
import { diagnostic } from '../report/errors.ts'
import { expandUrls, twinUrl } from './urls.ts'

/** Routes that exist together. */
interface Group {
  readonly router: Router
  /** By method, URL and constraints. */
  readonly places: Map<string, SourceLocation>
}

/** Returns whether a route gets a HEAD twin at one of its URLs. */
type HasTwin = (route: ScannedRoute, url: string) => boolean

/**
 * Declares all routes to the runtime's router, in the order of the application. Reports routes that the router refuses, and
 * finds GET routes without a HEAD twin, because the path has a HEAD route already.
 *
 * Routes are compared if they exist together for sure and with known paths: those under the same conditions, and those of the same
 * context if its prefix isn't known.
 */
export function declareAll(
  instance: ScannedInstance,
  report: Report,
  target: TargetProfile,
): HasTwin {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, caseSensitive } = instance
  const groups = new Map<string, Group>()
  const withoutTwin = new Map<ScannedRoute, Set<string>>()
  let contexts = 0
  declareContext(instance.root)
  return (route, url) => withoutTwin.get(route)?.has(url) !== true

  function declareContext({ prefix, isPrefixKnown, operations }: ScannedContext): void {
    const start = isPrefixKnown ? 0 : ++contexts
    for (const operation of operations) {
      if (operation.type === 'child') declareContext(operation.context)
      else if (operation.type === 'route') declareRoute(operation.route, prefix, start)
    }
  }

  /** @param start the unknown prefix that its URL starts with; 0 for none */
  function declareRoute(route: ScannedRoute, prefix: string, start: number): void {
    const { constraints, methods, branches } = route
    if (constraints === undefined) return
    const group = groupOf(JSON.stringify([start, branches]))
    for (const url of expandUrls(prefix, route, instance)) {
      const isExposed =
        route.wantsTwin && (route.exposeHeadRoute ?? instance.options.exposeHeadRoutes)
      if (!methods.every((method) => add(group, route, method, url)) || !isExposed) continue
      // Fastify adds no twin if the router refuses it.
      if (add(group, route, 'HEAD', twinUrl(prefix, url), ignore)) continue
      withoutTwin.set(route, (withoutTwin.get(route) ?? new Set()).add(url))
    }
  }

  function groupOf(key: string): Group {
    const known = groups.get(key)
    if (known !== undefined) return known
    const router = createRouter({ ignoreTrailingSlash, ignoreDuplicateSlashes, caseSensitive })
    const group: Group = { router, places: new Map() }
    groups.set(key, group)
    return group
  }

  /** Returns whether the target supports a method that this router doesn't know. */
  function isForeign(method: string): boolean {
    return !isHttpMethod(method) && target.routes.methods.includes(method)
  }

  /** Declares a route, and returns whether the router accepts it. */
  function add(
    { router, places }: Group,
    route: ScannedRoute,
    method: string,
    url: string,
    onProblem = report,
  ): boolean {
    if (isForeign(method)) return true
    const { constraints, at } = route
    const key = JSON.stringify([method, url, constraints])
    try {
      router.on(method as 'GET', url, { constraints: { ...constraints } }, ignore, route)
      places.set(key, at)
      return true
    } catch (error) {
      const { message } = error as Error
      const isDuplicate = message.includes('already declared')
      onProblem(
        isDuplicate
          ? diagnostic('AOT_ROUTE_DUPLICATE', at, method, url, places.get(key))
          : diagnostic('AOT_ROUTE_REFUSED', at, method, url, message),
      )
      return false
    }
  }
}

function ignore(): void {}
