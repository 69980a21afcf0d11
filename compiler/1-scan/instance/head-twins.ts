/** HEAD twins: the HEAD routes that Fastify adds to GET routes. Hooks see them too, and may give them other schemas. */
import { spreadInto } from '../values/spread.ts'
import { object, primitive } from '../values/index.ts'
import type { ObjectValue, Value } from '../values/index.ts'
import type { RouteRecord } from '../values/contexts.ts'
import { isDocumented, routeHooks } from './hooks.ts'
import { callOnRoute, routePath } from './on-route.ts'
import type { Declaration } from './on-route.ts'

type TrailingSlash = RouteRecord['trailingSlash']

/**
 * Copies the options of a route before hooks see them. The returned function calls the hooks for its twins, and returns the
 * twins with another schema than their route.
 */
export function followTwins(
  declaration: Declaration,
): (path: string, trailingSlash: TrailingSlash) => readonly RouteRecord[] {
  const { m, instance, options, at } = declaration
  const { context } = instance
  if (context.onRoute.length === 0 || !hasTwin(declaration)) return () => []
  const given = object(at)
  spreadInto(m, given, options, at)
  // Under conditions, an earlier HEAD route may not exist.
  const isNew = (path: string): boolean =>
    m.branches.length > 0 ||
    !context.isPrefixKnown ||
    !context.root.heads.has(context.prefix + path)
  return (path, trailingSlash) =>
    pathsOf(context.prefix, path, trailingSlash)
      .filter(isNew)
      .flatMap((one) => twinOf(declaration, given, one))
}

function twinOf(declaration: Declaration, given: ObjectValue, path: string): RouteRecord[] {
  const { m, instance, at } = declaration
  const { context } = instance
  const options = object(at)
  spreadInto(m, options, given, at)
  const twin = { ...declaration, methods: ['HEAD'] }
  const ownPath = routePath(context.prefix, path, 'both', twin.methods)
  callOnRoute(twin, options, ownPath)
  noteHeads(twin, ownPath)
  const schemaOf = (one: ObjectValue): Value => m.get(one, primitive('schema', at), at)
  if (schemaOf(options) === schemaOf(declaration.options)) return []
  const route: RouteRecord = {
    methods: twin.methods,
    path: ownPath,
    trailingSlash: 'both',
    options,
    wantsTwin: false,
    at,
    branches: [...m.branches],
    hooks: routeHooks(m, options, at),
    isDocumented: isDocumented(context),
    twins: [],
  }
  return [route]
}

function hasTwin({ m, instance, options, hasTwin, at }: Declaration): boolean {
  if (!hasTwin) return false
  const own = m.known(m.get(options, primitive('exposeHeadRoute', at), at))
  if (own.kind === 'primitive' && own.value !== undefined && own.value !== null) return !!own.value
  const factory = instance.context.root.options
  if (factory.kind !== 'object') return true
  const all = m.known(m.get(factory, primitive('exposeHeadRoutes', at), at))
  return all.kind !== 'primitive' || all.value === undefined || !!all.value
}

/** `/` under a prefix is two routes with a twin each. */
function pathsOf(prefix: string, path: string, trailingSlash: TrailingSlash): string[] {
  if (path !== '/' || prefix === '') return [routePath(prefix, path, trailingSlash, ['GET'])]
  if (trailingSlash === 'both') return ['', '/']
  return trailingSlash === 'slash' ? ['/'] : ['']
}

/** Remembers a route that answers HEAD. */
export function noteHeads({ m, instance, methods }: Declaration, path: string): void {
  const { prefix, isPrefixKnown, root } = instance.context
  if (m.branches.length > 0 || !isPrefixKnown || !methods.includes('HEAD')) return
  root.heads.add(prefix + path)
}
