/** Finds the route that answers a request. */
import { createRouter } from '../../runtime/router/index.ts'
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../artifact/schemas.ts'
import { closest } from '../report/closest.ts'

export type Found =
  | { readonly routes: readonly Route[] }
  /** Suggestions such as `GET /books`. */
  | { readonly routes: undefined; readonly near: readonly string[] }

/**
 * @param method undefined for all methods of the URL
 * @param url a declared pattern, or the URL of a request; the query string is ignored
 */
export function findRoutes(manifest: Manifest, method: string | undefined, url: string): Found {
  const [path = ''] = url.split('?')
  if (method === undefined) return findAll(manifest, path)
  const isAsked = (route: Route): boolean => route.method === method
  const declared = manifest.routes.filter((route) => isAsked(route) && route.url === path)
  if (declared.length > 0) return { routes: declared }
  const answering = answeringUrl(manifest, method, path)
  const routes = manifest.routes.filter((route) => isAsked(route) && route.url === answering)
  if (routes.length > 0) return { routes }
  return { routes: undefined, near: nearTo(manifest, method, path) }
}

/** Returns the routes of a URL for every method, without HEAD twins. */
function findAll(manifest: Manifest, path: string): Found {
  const isListed = (route: Route): boolean => !route.isTwin
  const methods = methodsOf(manifest.routes.filter(isListed))
  const found = methods
    .flatMap((method) => findRoutes(manifest, method, path).routes ?? [])
    .filter(isListed)
  if (found.length > 0) return { routes: found }
  const near = methods.flatMap((method) => nearTo(manifest, method, path))
  return { routes: undefined, near: [...new Set(near)] }
}

/** Returns the pattern that the router finds for a URL. */
function answeringUrl({ routes }: Manifest, method: string, path: string): string | undefined {
  const router = createRouter()
  // Routes with the same pattern differ by constraints.
  const patterns = new Map(routes.map((route) => [`${route.method} ${route.url}`, route]))
  for (const route of patterns.values()) {
    router.on(route.method as 'GET', route.url, {}, () => undefined, route.url)
  }
  const found = router.find(method as 'GET', path, {})
  return typeof found?.store === 'string' ? found.store : undefined
}

function nearTo(manifest: Manifest, method: string, path: string): readonly string[] {
  const others = methodsOf(manifest.routes).filter((other) => {
    const sameUrl = manifest.routes.some((route) => route.method === other && route.url === path)
    return sameUrl || answeringUrl(manifest, other, path) !== undefined
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
