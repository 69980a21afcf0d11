import { supportedHooks } from '../context/hooks.ts'
import type { DeclaredRoute } from './declared.ts'
import type { RouteContext } from '../serve/route-context.ts'

/** What `printRoutes` can show of a route. */
export function buildRouteMeta({
  store,
}: {
  store: DeclaredRoute | undefined
}): Record<string, unknown> {
  const route = store as DeclaredRoute
  const context = route.context ?? route.createContext()
  const { errorHandler, logLevel, logSerializers } = context
  const meta: Record<string, unknown> = { errorHandler, logLevel, logSerializers }
  for (const name of supportedHooks) meta[name] = context[name as keyof RouteContext]
  return meta
}
