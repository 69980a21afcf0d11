import { isDeepStrictEqual } from 'node:util'
import { alignContexts, alignInstances, type Pair, routeKey } from './align.ts'
import type {
  ContextNode,
  ContextTree,
  InstanceTree,
  PartOrigin,
  RouteNode,
  SharedSchema,
  KnownValue,
  UnknownSchema,
} from '../model/index.ts'
import { partOf } from '../2-tree/parts.ts'

/**
 * Completes the scanned tree by the recorded one. Known scanned routes win: the scan knows all branches of a condition, a boot only one.
 * Recorded shared schemas replace scanned ones with the same `$id`.
 *
 * @param takesOptions whether the recorded factory options win
 */
export function mergeTrees(
  scanned: ContextTree,
  recorded: ContextTree,
  takesOptions: boolean,
): ContextTree {
  const [main, ...others] = alignInstances(scanned, recorded).map((pair) =>
    mergePair(pair, (one, other) => ({
      options: (takesOptions ? other : one).options,
      root: mergeContexts(one.root, other.root),
    })),
  )
  return { ...(main as InstanceTree), others }
}

function mergePair<T>({ scanned, recorded }: Pair<T>, merge: (one: T, other: T) => T): T {
  return scanned && recorded ? merge(scanned, recorded) : ((scanned ?? recorded) as T)
}

function mergeContexts(scanned: ContextNode, recorded: ContextNode): ContextNode {
  // With another prefix, everything found in the context is wrong.
  if (scanned.prefix !== recorded.prefix) return { ...recorded, name: scanned.name }
  const hasSameCompilers =
    scanned.validatorCompiler === recorded.validatorCompiler &&
    scanned.serializerCompiler === recorded.serializerCompiler
  return {
    ...scanned,
    ...mergeSchemas(scanned, recorded),
    routes: mergeRoutes(scanned.routes, recorded.routes),
    // Scanned contexts with an unknown prefix are among the recorded ones, with their prefix.
    children: alignContexts(
      scanned.children.filter(({ isPrefixKnown }) => isPrefixKnown),
      recorded.children,
    ).map((pair) => mergePair(pair, mergeContexts)),
    compilers: hasSameCompilers ? scanned.compilers : undefined,
    validatorCompiler: scanned.validatorCompiler ?? recorded.validatorCompiler,
    serializerCompiler: scanned.serializerCompiler ?? recorded.serializerCompiler,
  }
}

function mergeSchemas(
  scanned: ContextNode,
  recorded: ContextNode,
): Pick<ContextNode, 'schemas' | 'unknownSchemas'> {
  const isSame = (a: SharedSchema, b: SharedSchema): boolean =>
    a.id === b.id && isDeepStrictEqual(a.schema.value, b.schema.value)
  const added = recorded.schemas.filter(
    (one) => !scanned.schemas.some((other) => isSame(one, other)),
  )
  const addedIds = new Set(added.map(({ id }) => id))
  const isAnswered = ({ id, at }: UnknownSchema): boolean =>
    id === undefined
      ? added.some((one) => one.at.file === at.file && one.at.line === at.line)
      : addedIds.has(id)
  return {
    schemas: [...scanned.schemas.filter(({ id }) => !addedIds.has(id)), ...added],
    unknownSchemas: [
      ...scanned.unknownSchemas.filter((unknown) => !isAnswered(unknown)),
      ...recorded.unknownSchemas,
    ],
  }
}

function mergeRoutes(
  scanned: readonly RouteNode[],
  recorded: readonly RouteNode[],
): readonly RouteNode[] {
  const unmatched = new Set(recorded)
  const take = (route: RouteNode): RouteNode | undefined => {
    const candidates = [...unmatched].filter((one) => routeKey(one) === routeKey(route))
    const partner =
      route.dynamic.length === 0
        ? candidates.find((one) => isDeepStrictEqual(one.schema?.value, route.schema?.value))
        : (candidates.find(({ at }) => at.line === route.at.line && at.file === route.at.file) ??
          candidates[0])
    if (partner) unmatched.delete(partner)
    return partner
  }
  // Match fully known routes first, so that only the remaining recorded ones complete the others.
  const fullyKnown = new Set(scanned.filter(({ dynamic }) => dynamic.length === 0))
  fullyKnown.forEach(take)
  const recordedKeys = new Set(recorded.map(routeKey))
  const merged = scanned.flatMap((route) => {
    if (fullyKnown.has(route)) return [route]
    const partner = take(route)
    if (partner) return [complete(route, partner)]
    // The boot showed which branch of the condition applies.
    return route.isConditional && recordedKeys.has(routeKey(route)) ? [] : [route]
  })
  return [...merged, ...unmatched]
}

/** Returns the parts of a route's schema that only the boot showed. */
function tracedIn(
  { response = {}, ...request }: Readonly<Record<string, unknown>>,
  isMissing: (path: readonly string[]) => boolean,
): PartOrigin[] {
  const statuses = Object.keys(response as object).map((status) => ['response', status])
  return [...Object.keys(request).map((part) => [part]), ...statuses]
    .filter(isMissing)
    .map((path) => ({ path, origin: 'traced' }))
}

/** Completes the missing parts of a route. */
function complete(route: RouteNode, recorded: RouteNode): RouteNode {
  const missing = new Set(route.dynamic.map(({ part }) => part))
  const isMissing = (path: readonly (string | number)[]): boolean => {
    const part = partOf(path) ?? ''
    return (
      missing.has('schema') ||
      missing.has(part) ||
      (path[0] === 'response' && missing.has('response'))
    )
  }
  const { schema } = route
  const completed: KnownValue<Record<string, unknown>> | undefined = recorded.schema && {
    value: recorded.schema.value,
    at: schema?.at ?? route.at,
    origins: schema
      ? [...tracedIn(recorded.schema.value, isMissing), ...schema.origins]
      : recorded.schema.origins,
    locate: (path, what) => {
      const problem = isMissing(path)
        ? route.dynamic.find(({ part }) => part === partOf(path))?.problem
        : undefined
      return problem?.at ?? schema?.locate(path, what) ?? route.at
    },
  }
  return { ...route, schema: completed, dynamic: recorded.dynamic, opaque: recorded.opaque }
}
