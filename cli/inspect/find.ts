/** Finds the routes that answer a request. */
import { Router } from '../../runtime/router/index.ts'
import { parsePath, splitOptional } from '../../runtime/router/path.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import { factoryOf, type Route } from '../../compiler/5-artifact/read/schemas.ts'
import { closest } from '../../compiler/report/closest.ts'

export type Found =
  | { readonly routes: readonly Route[] }
  /** Suggestions such as `GET /books`. */
  | { readonly routes: undefined; readonly near: readonly string[] }

/**
 * @param method undefined for all methods of the URL, without HEAD twins
 * @param url a declared pattern, or the URL of a request; the query string is ignored
 */
export function findRoutes(manifest: Manifest, method: string | undefined, url: string): Found {
  const [path = ''] = url.split('?')
  const listed = manifest.routes.filter((route) =>
    method === undefined ? !route.isTwin : route.method === method,
  )
  const methods = method === undefined ? methodsOf(listed) : [method]
  const found = methods.flatMap(routesOf)
  if (found.length > 0) return { routes: found }
  const near = methods.flatMap((one) => nearTo(manifest, one, path))
  return { routes: undefined, near: [...new Set(near)] }

  function routesOf(one: string): readonly Route[] {
    const candidates = listed.filter((route) => route.method === one)
    // A pattern may contain `?` as well.
    const declared = candidates.filter((route) => route.url === url || route.url === path)
    return declared.length > 0 ? declared : answering(manifest, candidates, path)
  }
}

/** Returns the routes of one method with the pattern that the router finds for a URL. Several may have it, with different constraints. */
function answering(manifest: Manifest, routes: readonly Route[], path: string): readonly Route[] {
  const factories = new Set(routes.map((route) => factoryOf(manifest, route)))
  return [...factories].flatMap((factory) => {
    const ofInstance = routes.filter((route) => factoryOf(manifest, route) === factory)
    return answeringIn(new Router(factory.router), ofInstance, path)
  })
}

function answeringIn(router: Router, routes: readonly Route[], path: string): readonly Route[] {
  const byPattern = new Map<string, Route[]>()
  for (const route of routes) {
    for (const each of splitOptional(route.url)) {
      const { pattern } = parsePath(each, router)
      const equal = byPattern.get(pattern)
      if (equal !== undefined) equal.push(route)
      else {
        const store = [route]
        byPattern.set(pattern, store)
        // Under any method: all routes have the same one.
        router.on('GET', each, {}, () => undefined, store)
      }
    }
  }
  return (router.find('GET', path, {})?.store ?? []) as readonly Route[]
}

/** Suggests requests: the URL with other methods, or else URLs like it, preferably with the method. */
function nearTo(manifest: Manifest, method: string, path: string): readonly string[] {
  const others = methodsOf(manifest.routes).filter((other) => {
    const routes = manifest.routes.filter((route) => route.method === other)
    return (
      routes.some((route) => route.url === path) || answering(manifest, routes, path).length > 0
    )
  })
  if (others.length > 0) return others.map((other) => `${other} ${path}`)
  const urls = [...new Set(manifest.routes.map(({ url }) => url))]
  const slips = closest(path, urls)
  // A common mistake is to omit the prefix of a context.
  const near = slips.length > 0 ? slips : urls.filter((url) => path !== '/' && url.endsWith(path))
  const same = manifest.routes.filter((route) => route.method === method)
  const preferred = near.filter((url) => same.some((route) => route.url === url))
  if (preferred.length > 0) return preferred.map((url) => `${method} ${url}`)
  return near.flatMap((url) => {
    const there = manifest.routes.filter((route) => route.url === url)
    return methodsOf(there).map((other) => `${other} ${url}`)
  })
}

function methodsOf(routes: readonly Route[]): readonly string[] {
  return [...new Set(routes.map(({ method }) => method))]
}
