import { supportedHooks } from './hooks.ts'
import type { RouteContext } from './route-context.ts'

/** What `printRoutes` can show of a route. */
export function buildRouteMeta({
  store,
}: {
  store: RouteContext | undefined
}): Record<string, unknown> {
  const { errorHandler, logLevel, logSerializers } = store as RouteContext
  const meta: Record<string, unknown> = { errorHandler, logLevel, logSerializers }
  for (const name of supportedHooks) meta[name] = store?.[name as keyof RouteContext]
  return meta
}
