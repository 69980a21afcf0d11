/**
 * Records routes: calls the `onRoute` hooks, which may change the options of a route, and follows its HEAD twins, the HEAD routes that
 * Fastify adds to GET routes. Hooks see twins too, and may give them other schemas.
 */
import { spreadInto } from '../values/spread.ts'
import type { Machine } from '../values/machine.ts'
import { array, isGiven, object, primitive } from '../values/index.ts'
import type { InstanceValue, ObjectValue, Value } from '../values/index.ts'
import type { Node } from '../../util/source/project.ts'
import type { RouteRecord } from '../values/contexts.ts'
import { underPrefix } from './context.ts'
import { isDocumented, routeHooks } from './hooks.ts'

/** A call that declares routes. */
export interface Declaration {
  readonly m: Machine
  readonly instance: InstanceValue
  readonly methods: readonly string[]
  /** True if Fastify gets a list of methods, which may have only one. */
  readonly isList: boolean
  /** The route options, which `onRoute` hooks may change. */
  readonly options: ObjectValue
  /** True if Fastify adds a HEAD route by default. */
  readonly wantsTwin: boolean
  readonly at: Node
}

type TrailingSlash = RouteRecord['trailingSlash']

/** Records the route of a declaration at one of its paths. */
export function recordPath(declaration: Declaration, path: string): void {
  const { m, instance, methods, isList, at } = declaration
  const { operations, prefix } = instance.context
  const option = readOption(declaration, 'prefixTrailingSlash')
  const slash = option.kind === 'primitive' ? option.value : undefined
  const given = slash === 'slash' || slash === 'no-slash' ? slash : 'both'
  const trailingSlash = methods[0] === 'HEAD' && !isList ? 'joined' : given
  // Twins get the options as they were before the hooks changed them.
  const forTwins = mayHaveOtherTwins(declaration) ? withCopiedOptions(declaration) : undefined
  callOnRoute(declaration, routePath(prefix, path, trailingSlash))
  m.declarations.push(at)
  noteHeads(declaration, path)
  const route = toRecord(declaration, path, trailingSlash)
  // Called after the hooks have seen the route.
  const twins = forTwins && twinsOf(forTwins, declaration, path, trailingSlash)
  operations.push({ type: 'route', route: { ...route, twins: twins ?? [] } })
}

function toRecord(
  { m, instance, methods, options, wantsTwin, at }: Declaration,
  path: string,
  trailingSlash: TrailingSlash,
): RouteRecord {
  return {
    methods,
    path,
    trailingSlash,
    options,
    wantsTwin,
    at,
    branches: [...m.branches],
    hooks: routeHooks(m, options, at),
    isDocumented: isDocumented(instance.context),
    twins: [],
  }
}

/** Returns the path for `onRoute` hooks. If `/` under a prefix has two URLs, this is the path of the first one. */
function routePath(prefix: string, path: string, trailingSlash: TrailingSlash): string {
  if (path === '/' && prefix !== '' && trailingSlash !== 'joined')
    return trailingSlash === 'slash' ? '/' : ''
  return path.startsWith('/') && prefix.endsWith('/') ? path.slice(1) : path
}

function callOnRoute(
  { m, instance, methods, isList, options, at }: Declaration,
  path: string,
): void {
  const { context } = instance
  const url = underPrefix(context, path, at)
  const values = methods.map((method) => primitive(method, at))
  const [first] = values
  const hookOptions = {
    routePath: primitive(path, at),
    url,
    path: url,
    prefix: underPrefix(context, '', at),
    method: first !== undefined && values.length === 1 && !isList ? first : array(values, at),
  }
  for (const [name, value] of Object.entries(hookOptions)) {
    m.journal.setMember(options, name, { value, at })
  }
  for (const hook of context.onRoute) m.call(hook, instance, [options], at)
}

function readOption({ m, options, at }: Declaration, name: string): Value {
  return m.known(m.get(options, primitive(name, at), at))
}

/** Returns whether hooks may give HEAD twins of a route another schema. */
function mayHaveOtherTwins(declaration: Declaration): boolean {
  const { m, instance, at } = declaration
  const { context } = instance
  if (context.onRoute.length === 0 || !declaration.wantsTwin) return false
  const ofRoute = readOption(declaration, 'exposeHeadRoute')
  if (ofRoute.kind === 'primitive' && isGiven(ofRoute)) return Boolean(ofRoute.value)
  const factory = context.root.options
  if (factory.kind !== 'object') return true
  const ofFactory = m.known(m.get(factory, primitive('exposeHeadRoutes', at), at))
  return ofFactory.kind !== 'primitive' || ofFactory.value === undefined || Boolean(ofFactory.value)
}

function withCopiedOptions(declaration: Declaration): Declaration {
  const { m, at } = declaration
  const options = object(at)
  spreadInto(m, options, declaration.options, at)
  return { ...declaration, methods: ['HEAD'], isList: false, wantsTwin: false, options }
}

/** Calls the hooks for the twins of a route, and returns the twins whose schema or hooks differ from those of the route. */
function twinsOf(
  forTwins: Declaration,
  route: Declaration,
  path: string,
  trailingSlash: TrailingSlash,
): readonly RouteRecord[] {
  const { m, instance, at } = forTwins
  const { prefix, isPrefixKnown, root } = instance.context
  const schemaOf = (options: ObjectValue): Value => m.get(options, primitive('schema', at), at)
  // `/` under a prefix is two routes with a twin each.
  const hasTwoUrls = path === '/' && prefix !== '' && trailingSlash === 'both'
  const paths = hasTwoUrls ? ['', '/'] : [routePath(prefix, path, trailingSlash)]
  return paths.flatMap((one) => {
    // No twin if an earlier HEAD route has its URL. If that isn't sure, record it anyway: this only adds functions.
    if (isUnconditional(route) && isPrefixKnown && root.headUrls.has(prefix + one)) return []
    const twin = withCopiedOptions(forTwins)
    const twinPath = routePath(prefix, one, 'joined')
    callOnRoute(twin, twinPath)
    noteHeads(twin, twinPath)
    return schemaOf(twin.options) === schemaOf(route.options) && hasSameHooks(twin, route)
      ? []
      : [toRecord(twin, twinPath, 'joined')]
  })
}

function hasSameHooks(one: Declaration, other: Declaration): boolean {
  const [first, second] = [one, other].map(({ m, options, at }) => routeHooks(m, options, at))
  const others = second ?? []
  return (
    first?.length === others.length &&
    first.every(({ hook, value }, i) => hook === others[i]?.hook && value === others[i]?.value)
  )
}

/** Notes a HEAD route: a later GET route with its URL gets no twin. */
function noteHeads(declaration: Declaration, path: string): void {
  const { instance, methods } = declaration
  const { prefix, isPrefixKnown, root } = instance.context
  if (!isUnconditional(declaration) || !isPrefixKnown || !methods.includes('HEAD')) return
  root.headUrls.add(prefix + path)
}

/** Returns whether a route exists in any case, and answers all requests of its method and URL. */
function isUnconditional(declaration: Declaration): boolean {
  return declaration.m.branches.length === 0 && !isGiven(readOption(declaration, 'constraints'))
}
