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

/** Returns whether a route gets a HEAD twin at one of its URLs. */
type HasTwin = (route: ScannedRoute, url: string) => boolean

/**
 * Declares all routes to the runtime's router, in the order of the application. Reports routes that the router refuses, and
 * finds GET routes without a HEAD twin, because the path has a HEAD route already.
 *
 * Conditional routes are left out, because they may not exist.
 */
export function declareAll(
  instance: ScannedInstance,
  report: Report,
  target: TargetProfile,
): HasTwin {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, caseSensitive } = instance
  const router: Router = createRouter({
    ignoreTrailingSlash,
    ignoreDuplicateSlashes,
    caseSensitive,
  })
  const places = new Map<string, SourceLocation>()
  const withoutTwin = new Map<ScannedRoute, Set<string>>()
  declareContext(instance.root)
  return (route, url) => withoutTwin.get(route)?.has(url) !== true

  function declareContext({ prefix, operations }: ScannedContext): void {
    for (const operation of operations) {
      if (operation.type === 'child') declareContext(operation.context)
      else if (operation.type === 'route') declareRoute(operation.route, prefix)
    }
  }

  function declareRoute(route: ScannedRoute, prefix: string): void {
    const { constraints, methods } = route
    if (route.isConditional || constraints === undefined) return
    const isHead = methods.length === 1 && methods[0] === 'HEAD'
    for (const url of expandUrls(prefix, route.path, route.prefixTrailingSlash, isHead, instance)) {
      const isExposed =
        route.wantsTwin && (route.exposeHeadRoute ?? instance.options.exposeHeadRoutes)
      if (!methods.every((method) => add(route, method, url)) || !isExposed) continue
      // Fastify adds no twin if the router refuses it.
      if (add(route, 'HEAD', twinUrl(prefix, url), ignore)) continue
      withoutTwin.set(route, (withoutTwin.get(route) ?? new Set()).add(url))
    }
  }

  /** Returns whether the target supports a method that this router doesn't know. */
  function isForeign(method: string): boolean {
    return !isHttpMethod(method) && target.routes.methods.includes(method)
  }

  /** Declares a route, and returns whether the router accepts it. */
  function add(route: ScannedRoute, method: string, url: string, onProblem = report): boolean {
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
