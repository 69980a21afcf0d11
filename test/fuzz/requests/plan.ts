/** A random application as data: `source.ts` writes its source, `exchanges.ts` its requests. */
import type { HttpPart } from '../../../runtime/artifact/index.ts'

export type Json = Record<string, unknown>

export interface Plan {
  /** Positions in `profiles` of the options of validators and of serializers. */
  readonly validators: number
  readonly serializers: number
  /** Other options of the factory. */
  readonly options: Json
  readonly root: ContextPlan
}

export interface ContextPlan {
  readonly prefix: string
  /** Registered by the plugin wrapper: its declarations belong to the context around it. */
  readonly isWrapped: boolean
  /** The shared schemas, each with an `$id`. */
  readonly schemas: readonly Json[]
  readonly traits: readonly Trait[]
  readonly routes: readonly RoutePlan[]
  readonly children: readonly ContextPlan[]
}

/** Handlers and parsers of a context; `source.ts` has their source text. */
export type Trait =
  | 'errorHandler'
  | 'errorFormatter'
  | 'notFoundHandler'
  | 'xmlParser'
  | 'anyParser'

export interface RoutePlan {
  readonly methods: readonly string[]
  readonly url: string
  readonly parts: readonly PartPlan[]
  readonly options: Json
}

/** A schema of a request's part, or of a response with a status. */
export interface PartPlan {
  readonly part: HttpPart | 'response'
  /** A key of `response`: `200`, `2xx`, `default`. */
  readonly status?: string
  /** Below `content` of the response. */
  readonly contentType?: string
  readonly schema: Json | false
}

export interface PlacedRoute {
  readonly route: RoutePlan
  /** The whole URL. */
  readonly url: string
  readonly externals: Readonly<Record<string, unknown>>
}

/** The routes in the order of the source. */
export function* routesOf(
  context: ContextPlan,
  around: readonly ContextPlan[] = [],
): Iterable<PlacedRoute> {
  const contexts = [...around, context]
  const prefix = contexts.map((one) => one.prefix).join('')
  const externals = externalsOf(contexts)
  for (const route of context.routes) yield { route, url: prefix + route.url, externals }
  for (const child of context.children) yield* routesOf(child, contexts)
}

/** The shared schemas that the innermost context sees, by `$id`. */
export function externalsOf(contexts: readonly ContextPlan[]): Record<string, unknown> {
  const schemas = contexts.flatMap(sharedBy)
  return Object.fromEntries(schemas.map((schema) => [schema['$id'] as string, schema]))
}

function sharedBy({ schemas, children }: ContextPlan): readonly Json[] {
  return [...schemas, ...children.filter((child) => child.isWrapped).flatMap(sharedBy)]
}

/** A copy of the plan with other routes in each context; a route without successor is left out. */
export function withRoutes(
  plan: Plan,
  change: (placed: PlacedRoute) => RoutePlan | undefined,
): Plan {
  const placed = new Map([...routesOf(plan.root)].map((one) => [one.route, one]))
  const changed = (context: ContextPlan): ContextPlan => ({
    ...context,
    routes: context.routes.flatMap((route) => change(placed.get(route) as PlacedRoute) ?? []),
    children: context.children.map(changed),
  })
  return { ...plan, root: changed(plan.root) }
}
