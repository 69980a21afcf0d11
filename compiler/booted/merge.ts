import { isDeepStrictEqual } from 'node:util'
import { alignContexts, alignInstances, routeKey } from './align.ts'
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

export interface MergeOptions {
  /** True if the recorded factory options win. */
  readonly takesOptions: boolean
  /** True if the boot had the environment of the running application, so that it knows which conditions hold. */
  readonly isTrusted: boolean
  /** Selects the recorded routes to add that the source lacks. Default: all. */
  readonly adds?: (route: RouteNode) => boolean
}

/** Completes the scanned tree by the recorded one. Known scanned values stay: the scan knows all branches of a condition, a boot only one. */
export function mergeTrees(
  scanned: ContextTree,
  recorded: ContextTree,
  { takesOptions, isTrusted, adds = () => true }: MergeOptions,
): ContextTree {
  const [main, ...others] = alignInstances(scanned, recorded).flatMap(
    ({ scanned: one, recorded: other }): InstanceTree[] => {
      if (one === undefined || other === undefined) return kept(one ?? (other as InstanceTree), one)
      const [root, ...more] = mergeContexts(one.root, other.root)
      const { options } = takesOptions ? other : one
      return [root as ContextNode, ...more].map((root) => ({ options, root }))
    },
  )
  return { ...(main as InstanceTree), others }

  function kept(instance: InstanceTree, scanned: InstanceTree | undefined): InstanceTree[] {
    return scanned === undefined && !isNeeded(instance.root) ? [] : [instance]
  }

  function isNeeded({ routes, children }: ContextNode): boolean {
    return routes.some(adds) || children.some(isNeeded)
  }

  /** Returns both if they have different prefixes and the boot isn't trusted. */
  function mergeContexts(scanned: ContextNode, recorded: ContextNode): ContextNode[] {
    if (scanned.prefix !== recorded.prefix) {
      // In the environment of the application, everything found under another prefix is wrong.
      if (isTrusted) return [{ ...recorded, name: scanned.name }]
      return isNeeded(recorded) ? [scanned, recorded] : [scanned]
    }
    const hasSameCompilers =
      scanned.validatorCompiler === recorded.validatorCompiler &&
      scanned.serializerCompiler === recorded.serializerCompiler
    const merged = {
      ...scanned,
      ...mergeSchemas(scanned, recorded, isTrusted),
      routes: mergeRoutes(scanned.routes, recorded.routes),
      // Scanned contexts with an unknown prefix are among the recorded ones, with their prefix.
      children: alignContexts(
        scanned.children.filter(({ isPrefixKnown }) => isPrefixKnown || !isTrusted),
        recorded.children,
      ).flatMap((pair) => {
        if (pair.scanned && pair.recorded) return mergeContexts(pair.scanned, pair.recorded)
        return (
          pair.scanned ??
          (isNeeded(pair.recorded as ContextNode) ? [pair.recorded as ContextNode] : [])
        )
      }),
      compilers: hasSameCompilers ? scanned.compilers : undefined,
      validatorCompiler: scanned.validatorCompiler ?? recorded.validatorCompiler,
      serializerCompiler: scanned.serializerCompiler ?? recorded.serializerCompiler,
    }
    return [merged]
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
      const isElsewhere = isTrusted && route.isConditional && recordedKeys.has(routeKey(route))
      return isElsewhere ? [] : [route]
    })
    return [...merged, ...[...unmatched].filter(adds)]
  }
}

/** Adds the recorded schemas that the source doesn't show. */
function mergeSchemas(
  scanned: ContextNode,
  recorded: ContextNode,
  isTrusted: boolean,
): Pick<ContextNode, 'schemas' | 'unknownSchemas'> {
  const known = new Set(scanned.schemas.map(({ id }) => id))
  const answerOf = ({ id, at }: UnknownSchema): SharedSchema | undefined => {
    // Beside known alternatives, the unknown one is that of another environment.
    if (!isTrusted && known.has(id ?? '')) return undefined
    return recorded.schemas.find((one) =>
      id === undefined ? one.at.file === at.file && one.at.line === at.line : one.id === id,
    )
  }
  const answered = new Set(scanned.unknownSchemas.map((one) => answerOf(one)?.id))
  const unknown = [
    ...scanned.unknownSchemas.filter((one) => answerOf(one) === undefined),
    ...recorded.unknownSchemas.filter(({ id = '' }) => !known.has(id)),
  ]
  return {
    schemas: [
      ...scanned.schemas.filter(({ id }) => !answered.has(id)),
      ...recorded.schemas.filter(({ id }) => answered.has(id) || !known.has(id)),
    ],
    unknownSchemas: unknown,
  }
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
  const { dynamic, opaque, libraries } = recorded
  return { ...route, schema: completed, dynamic, opaque, libraries }
}
