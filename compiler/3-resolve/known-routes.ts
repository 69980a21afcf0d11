/**
 * What an earlier build has made of routes. What a route is resolved to depends on its schema, on the context that it stands
 * in and on options alone: as long as none of these is another, it is resolved to the same.
 */
import type {
  Binding,
  BindingSite,
  ContextNode,
  ContextTree,
  KnownBinding,
  KnownRoute,
  KnownRoutes,
  Recalled,
  ResolvedApp,
  ResolvedUnit,
  RouteNode,
  StaticValue,
} from '../model/index.ts'
import { isTree } from '../util/exact-text.ts'
import { contextPaths } from '../report/context-path.ts'

/** `undefined` for what is to be resolved anew. */
export type FindRoute = (route: RouteNode, context: string) => KnownRoute | undefined

/** Nothing is found when anything but schemas of routes is another. */
export function finderOf(tree: ContextTree, { routes, numbers, edited }: Recalled): FindRoute {
  const own = new Set(schemasIn(tree.root))
  if (![...edited].every((one) => own.has(one))) return () => undefined
  return (route, context) => {
    const number = edited.has(route.schema as StaticValue) ? undefined : numberOf(route, numbers)
    return number === undefined ? undefined : routes[nameOf(number, route, context)]
  }
}

/**
 * What later builds need to know.
 *
 * @param keyOf `UnitStore.keyOf`
 */
export function keepRoutes(
  { resolved, units }: Pick<ResolvedApp, 'resolved' | 'units'>,
  numbers: Recalled['numbers'],
  keyOf: (unit: ResolvedUnit) => string | undefined,
): KnownRoutes {
  const kept: Record<string, KnownRoute> = {}
  const ambiguous = new Set<string>()
  for (const { route, context, bindings, as } of resolved) {
    const number = numberOf(route, numbers)
    // A digest says what JSON says. Of two schemas that JSON takes for one, the first is compiled for both, and that may be edited.
    if (number === undefined || !isTree(as.written)) continue
    const known = bindings.flatMap((one) => keepBinding(one, units, keyOf))
    const name = nameOf(number, route, context)
    if (Object.hasOwn(kept, name)) ambiguous.add(name)
    const { text, digest, validators, serializers, keepsHeaders } = as
    if (known.length === bindings.length)
      kept[name] = { text, digest, validators, serializers, keepsHeaders, bindings: known }
  }
  for (const name of ambiguous) delete kept[name]
  return kept
}

function keepBinding(
  { httpPart, httpStatus, contentType, digest, path }: Binding,
  units: ResolvedApp['units'],
  keyOf: (unit: ResolvedUnit) => string | undefined,
): KnownBinding[] {
  const unit = units.get(digest) as ResolvedUnit
  const key = isTree(unit.schema) ? keyOf(unit) : undefined
  if (key === undefined) return []
  const target = targetOf({ httpPart, httpStatus, contentType })
  return [{ ...target, kind: unit.kind, digest, path, key }]
}

/** Without what is not there. */
export function targetOf({
  httpPart,
  httpStatus,
  contentType,
}: {
  readonly [K in 'httpPart' | 'httpStatus' | 'contentType']?: BindingSite[K] | undefined
}): Pick<BindingSite, 'httpPart' | 'httpStatus' | 'contentType'> {
  return {
    ...(httpPart !== undefined && { httpPart }),
    ...(httpStatus !== undefined && { httpStatus }),
    ...(contentType !== undefined && { contentType }),
  }
}

function numberOf({ schema }: RouteNode, numbers: Recalled['numbers']): number | undefined {
  return schema && numbers.get(schema)
}

function nameOf(number: number, { methods, url }: RouteNode, context: string): string {
  return `${number} ${methods.join()} ${url} ${context}`
}

function* schemasIn(root: ContextNode): Iterable<StaticValue> {
  for (const { routes } of contextPaths(root).keys()) {
    for (const { schema, twins = [] } of routes) {
      for (const one of [schema, ...twins.map((twin) => twin.schema)]) if (one) yield one
    }
  }
}
