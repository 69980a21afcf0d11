/** The HEAD routes that Fastify adds to GET routes: hooks are shown them, and may give them other schemas. */
import { spreadInto } from '../values/spread.ts'
import { object, primitive } from '../values/index.ts'
import type { ObjectValue, Value } from '../values/index.ts'
import type { RouteRecord } from '../values/contexts.ts'
import { seenOfRoute } from './hooks.ts'
import { callOnRoute, routePath } from './on-route.ts'
import type { Declaration } from './on-route.ts'

type TrailingSlash = RouteRecord['trailingSlash']

/**
 * Takes the options of a route as they are given; returns what adds its twins once hooks have seen the route itself.
 * Without hooks, a twin has the schema of its route.
 */
export function followTwins(
  declaration: Declaration,
): (path: string, trailingSlash: TrailingSlash) => readonly RouteRecord[] {
  const { m, instance, options, at } = declaration
  if (instance.context.onRoute.length === 0 || !hasTwin(declaration)) return () => []
  const given = object(at)
  spreadInto(m, given, options, at)
  return (path, trailingSlash) =>
    pathsOf(instance.context.prefix, path, trailingSlash)
      .filter((one) => isNew(declaration, one))
      .flatMap((one) => twinOf(declaration, given, one))
}

function twinOf(declaration: Declaration, given: ObjectValue, path: string): RouteRecord[] {
  const { m, instance, options, at } = declaration
  const own = object(at)
  spreadInto(m, own, given, at)
  const twin = { ...declaration, methods: ['HEAD'] }
  const ownPath = routePath(instance.context.prefix, path, 'both', twin.methods)
  callOnRoute(twin, own, ownPath)
  noteHeads(twin, ownPath)
  const schemaOf = (one: ObjectValue): Value => m.get(one, primitive('schema', at), at)
  if (schemaOf(own) === schemaOf(options)) return []
  return [
    {
      methods: twin.methods,
      path: ownPath,
      trailingSlash: 'both',
      options: own,
      wantsTwin: false,
      at,
      arms: [...m.arms],
      ...seenOfRoute(m, instance.context, own, at),
      twins: [],
    },
  ]
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

/** `/` under a prefix is two routes, and has two twins. */
function pathsOf(prefix: string, path: string, trailingSlash: TrailingSlash): string[] {
  if (path !== '/' || prefix === '') return [routePath(prefix, path, trailingSlash, ['GET'])]
  if (trailingSlash === 'both') return ['', '/']
  return trailingSlash === 'slash' ? ['/'] : ['']
}

/** Whether no HEAD route is there. Under conditions that cannot be told. */
function isNew({ m, instance }: Declaration, path: string): boolean {
  return m.arms.length > 0 || !instance.context.root.heads.has(instance.context.prefix + path)
}

/** Remembers a route that answers HEAD. */
export function noteHeads({ m, instance, methods }: Declaration, path: string): void {
  if (m.arms.length > 0 || !methods.includes('HEAD')) return
  instance.context.root.heads.add(instance.context.prefix + path)
}
