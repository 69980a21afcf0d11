import { supportedHooks } from '../context/hooks.ts'
import type { RouteContext, RouteSource } from '../serve/route-context.ts'

/** Returns the metadata of a route for `printRoutes`. */
export function buildRouteMeta({
  store,
}: {
  store: RouteSource | undefined
}): Record<string, unknown> {
  const route = store as RouteSource
  const context = route.context ?? route.createContext()
  const { errorHandler, logLevel, logSerializers } = context
  const meta: Record<string, unknown> = { errorHandler, logLevel, logSerializers }
  for (const name of supportedHooks) meta[name] = context[name as keyof RouteContext]
  return meta
}
