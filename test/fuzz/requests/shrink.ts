/** Makes what fails smaller, one piece at a time, for as long as it still fails. */
import type { ParityRequest } from '../../support/request.ts'
import type { ContextPlan, Plan, RoutePlan } from './plan.ts'

/** The smallest plan found; each try is an application that is built and served. */
export async function shrinkPlan(
  plan: Plan,
  fails: (plan: Plan) => Promise<boolean>,
  tries: number,
): Promise<Plan> {
  let smallest = plan
  let left = tries
  // Pieces before `next` are needed.
  for (let next = 0; left > 0; left--) {
    const candidate = nthOf(smallerPlans(smallest), next)
    if (candidate === undefined) break
    if (await fails(candidate)) smallest = candidate
    else next++
  }
  return smallest
}

/** The requests that have one piece less. */
export function smallerRequests(request: ParityRequest): ParityRequest[] {
  const { headers = [], body, framing: _, ...rest } = request
  const [path = '', search] = request.target.split('?', 2)
  const pairs = search?.split('&') ?? []
  return [
    ...headers.map((_, index) => ({ ...request, headers: headers.toSpliced(index, 1) })),
    ...pairs.map((_, index) => {
      const others = pairs.toSpliced(index, 1)
      return { ...request, target: others.length === 0 ? path : `${path}?${others.join('&')}` }
    }),
    ...(request.framing === undefined || body === undefined ? [] : [{ ...rest, headers, body }]),
    ...(body === undefined ? [] : [{ ...rest, headers }]),
    ...smallerTexts(body).map((text) => ({ ...request, body: text })),
  ]
}

function smallerTexts(body: ParityRequest['body']): string[] {
  if (typeof body !== 'string') return []
  try {
    return [...smallerValues(JSON.parse(body))].map((value) => JSON.stringify(value))
  } catch {
    // It is no JSON: it stays as it is.
    return []
  }
}

function nthOf<T>(values: Iterable<T>, n: number): T | undefined {
  let left = n
  for (const value of values) if (left-- === 0) return value
  return undefined
}

/** Big pieces first: contexts and routes, then parts, then what stands in schemas. */
function* smallerPlans(plan: Plan): Iterable<Plan> {
  for (const change of [withoutMembers, withoutParts]) {
    for (const root of smallerContexts(plan.root, change)) yield { ...plan, root }
  }
  for (const options of smallerValues(plan.options, 0)) {
    yield { ...plan, options: options as Plan['options'] }
  }
  for (const root of smallerContexts(plan.root, withSmallerSchemas)) yield { ...plan, root }
}

type Change = (context: ContextPlan) => Iterable<ContextPlan>

function* smallerContexts(context: ContextPlan, change: Change): Iterable<ContextPlan> {
  yield* change(context)
  for (const [index, child] of context.children.entries()) {
    for (const smaller of smallerContexts(child, change)) {
      yield { ...context, children: context.children.with(index, smaller) }
    }
  }
}

function* withoutMembers(context: ContextPlan): Iterable<ContextPlan> {
  for (const name of ['children', 'routes', 'schemas', 'traits'] as const) {
    for (const index of context[name].keys()) {
      yield { ...context, [name]: (context[name] as readonly unknown[]).toSpliced(index, 1) }
    }
  }
}

function* withoutParts(context: ContextPlan): Iterable<ContextPlan> {
  for (const [index, route] of context.routes.entries()) {
    for (const smaller of smallerRoutes(route)) {
      yield { ...context, routes: context.routes.with(index, smaller) }
    }
  }
}

function* smallerRoutes(route: RoutePlan): Iterable<RoutePlan> {
  for (const index of route.parts.keys()) yield { ...route, parts: route.parts.toSpliced(index, 1) }
  for (const options of smallerValues(route.options, 0)) {
    yield { ...route, options: options as RoutePlan['options'] }
  }
  if (route.methods.length === 1) return
  for (const index of route.methods.keys()) {
    yield { ...route, methods: route.methods.toSpliced(index, 1) }
  }
}

function* withSmallerSchemas(context: ContextPlan): Iterable<ContextPlan> {
  for (const [place, shared] of context.schemas.entries()) {
    for (const schema of smallerValues(shared)) {
      const isWhole = (schema as { $id?: unknown }).$id !== undefined
      if (isWhole) yield { ...context, schemas: context.schemas.with(place, schema as never) }
    }
  }
  for (const [place, route] of context.routes.entries()) {
    for (const [index, part] of route.parts.entries()) {
      for (const schema of smallerValues(part.schema)) {
        const parts = route.parts.with(index, { ...part, schema: schema as never })
        yield { ...context, routes: context.routes.with(place, { ...route, parts }) }
      }
    }
  }
}

/** The value without one of its members, or with a smaller one, down to a depth. */
function* smallerValues(value: unknown, depth = 12): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return
  const entries = Object.entries(value)
  const rebuilt = (pairs: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? pairs.map(([, member]) => member) : Object.fromEntries(pairs)
  for (const index of entries.keys()) yield rebuilt(entries.toSpliced(index, 1))
  if (depth === 0) return
  for (const [index, [key, member]] of entries.entries()) {
    for (const smaller of smallerValues(member, depth - 1)) {
      yield rebuilt(entries.with(index, [key, smaller]))
    }
  }
}
