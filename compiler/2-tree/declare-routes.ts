/** Declares the routes to the runtime's router. */
import { isHttpMethod, Router } from '../../runtime/router/index.ts'
import type { TargetProfile } from '../servers/index.ts'
import type {
  OnDiagnostic,
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
  /** By `shapeOf`. */
  readonly declared: Map<string, Declared>
}

interface Declared {
  readonly at: SourceLocation
  /** From the root to the context of the route. */
  readonly contexts: readonly ScannedContext[]
}

/** Returns false for a URL of a route at which the router refuses its HEAD twin. */
type HasTwin = (route: ScannedRoute, url: string) => boolean

/**
 * Declares routes with known constraints to the runtime's router, in the order of the application. Reports routes that the router refuses, and
 * finds GET routes without a HEAD twin, because the path has a HEAD route already.
 *
 * Routes are compared if they exist together for sure and with known paths: those under the same conditions, and those of the same
 * context if its prefix isn't known.
 */
export function declareRoutes(
  instance: ScannedInstance,
  report: OnDiagnostic,
  target: TargetProfile,
): HasTwin {
  const { ignoreTrailingSlash, ignoreDuplicateSlashes, caseSensitive } = instance.options.router
  const groups = new Map<string, Group>()
  const withoutTwin = new Map<ScannedRoute, Set<string>>()
  /** Pairs of registrations that are reported. */
  const repeated = new Set<string>()
  let unknownPrefixes = 0
  declareContext([instance.root], instance.root)
  return (route, url) => withoutTwin.get(route)?.has(url) !== true

  function declareContext(
    contexts: readonly ScannedContext[],
    { prefix, isPrefixKnown, operations }: ScannedContext,
  ): void {
    const unknownPrefix = isPrefixKnown ? 0 : ++unknownPrefixes
    for (const operation of operations) {
      if (operation.type === 'child') {
        declareContext([...contexts, operation.context], operation.context)
      } else if (operation.type === 'route') {
        declareRoute(operation.route, prefix, unknownPrefix, contexts)
      }
    }
  }

  /** @param unknownPrefix the number of the unknown prefix that its URL starts with; 0 for none */
  function declareRoute(
    route: ScannedRoute,
    prefix: string,
    unknownPrefix: number,
    contexts: readonly ScannedContext[],
  ): void {
    const { constraints, methods, branches } = route
    if (constraints === undefined) return
    const group = groupOf(JSON.stringify([unknownPrefix, branches]))
    for (const url of expandUrls(prefix, route, instance.options.router)) {
      const isExposed =
        route.wantsTwin && (route.exposeHeadRoute ?? instance.options.exposeHeadRoutes)
      if (!methods.every((method) => add(group, route, method, url, contexts)) || !isExposed)
        continue
      // Fastify adds no twin if the router refuses it.
      if (add(group, route, 'HEAD', twinUrl(prefix, url), contexts, ignore)) continue
      withoutTwin.set(route, (withoutTwin.get(route) ?? new Set()).add(url))
    }
  }

  function groupOf(key: string): Group {
    const existing = groups.get(key)
    if (existing !== undefined) return existing
    const group: Group = { router: new Router(instance.options.router), declared: new Map() }
    groups.set(key, group)
    return group
  }

  /** Declares a route, and returns whether the router accepts it. */
  function add(
    { router, declared }: Group,
    route: ScannedRoute,
    method: string,
    url: string,
    contexts: readonly ScannedContext[],
    onProblem = report,
  ): boolean {
    // The target supports methods that this router doesn't know.
    if (!isHttpMethod(method) && target.routes.methods.includes(method)) return true
    const { constraints, at } = route
    const shape = shapeOf(route, method, url)
    try {
      router.on(method as 'GET', url, { constraints: { ...constraints } }, ignore, route)
      declared.set(shape, { at, contexts })
      return true
    } catch (error) {
      const { message } = error as Error
      if (message.includes('already declared')) {
        const first = declared.get(shape)
        if (first !== undefined && isAt(at, first.at)) reportAgain(first)
        else onProblem(diagnostic('AOT_ROUTE_DUPLICATE', at, method, url, first?.at))
      } else onProblem(diagnostic('AOT_ROUTE_REFUSED', at, method, url, message))
      return false
    }

    /** Reports a statement that runs twice: once per pair of registrations, not for each route of the plugin. */
    function reportAgain(first: Declared): void {
      const depth = contexts.findIndex((one, i) => one !== first.contexts[i])
      const [earlier = first.at, later = at] = [first.contexts[depth]?.at, contexts[depth]?.at]
      const registered = isAt(earlier, later) ? 'here' : earlier
      const key = JSON.stringify([earlier, later])
      if (repeated.has(key)) return
      onProblem(diagnostic('AOT_ROUTE_DUPLICATE', later, method, url, first.at, registered))
      if (onProblem === report) repeated.add(key)
    }
  }

  /** Returns the same text for routes that differ only in their parameter names, or in what the router ignores. */
  function shapeOf({ constraints }: ScannedRoute, method: string, url: string): string {
    const cased = caseSensitive ? url : url.toLowerCase()
    const slashed = ignoreDuplicateSlashes ? cased.replace(/\/{2,}/g, '/') : cased
    const path = ignoreTrailingSlash ? slashed.replace(/(?!^)\/$/, '') : slashed
    return JSON.stringify([method, path.replace(/:[^/(.:-]+/g, ':'), constraints])
  }
}

function isAt(one: SourceLocation, other: SourceLocation): boolean {
  return one.file === other.file && one.line === other.line && one.column === other.column
}

function ignore(): void {}
