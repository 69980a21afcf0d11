/** Removes the schemas that Fastify refuses: Ajv's strict mode refuses most random schemas. */
import fastify from 'fastify'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import { factoryOptions } from './options.ts'
import { externalsOf, withRoutes, type ContextPlan, type PartPlan, type Plan } from './plan.ts'

/**
 * Returns the plan without schemas that Fastify refuses.
 *
 * @param make the factory of Fastify
 */
export async function accepted(plan: Plan, make: typeof fastify = fastify): Promise<Plan> {
  const root = await withAcceptedShared(make, plan, plan.root, [])
  const shared = { ...plan, root }
  const refused = new Set<PartPlan>()
  const probes: Promise<void>[] = []
  withRoutes(shared, ({ route, externals }) => {
    for (const part of route.parts) {
      probes.push(
        takes(make, plan, externals, part).then((isTaken) => void (isTaken || refused.add(part))),
      )
    }
    return route
  })
  await Promise.all(probes)
  return withoutParts(shared, refused)
}

export function withoutParts(plan: Plan, refused: ReadonlySet<PartPlan>): Plan {
  return withRoutes(plan, ({ route }) => ({
    ...route,
    parts: route.parts.filter((part) => !refused.has(part)),
  }))
}

async function withAcceptedShared(
  make: typeof fastify,
  plan: Plan,
  context: ContextPlan,
  around: readonly ContextPlan[],
): Promise<ContextPlan> {
  const schemas = []
  for (const schema of context.schemas) {
    const seen = externalsOf([
      ...around,
      { ...context, schemas: [...schemas, schema], children: [] },
    ])
    const uses = [
      { part: 'body', schema: { type: 'string' } },
      { part: 'response', status: '200', schema: { type: 'string' } },
    ] as const
    const areTaken = await Promise.all(uses.map((use) => takes(make, plan, seen, use)))
    if (!areTaken.includes(false)) schemas.push(schema)
  }
  const self = { ...context, schemas }
  const children: ContextPlan[] = []
  for (const child of context.children) {
    children.push(
      await withAcceptedShared(make, plan, child, [...around, { ...self, children: [] }]),
    )
  }
  return { ...self, children }
}

async function takes(
  make: typeof fastify,
  plan: Plan,
  externals: Readonly<Record<string, unknown>>,
  { part, status, contentType, schema }: PartPlan,
): Promise<boolean> {
  // Fastify only warns about it.
  if (schema === false) return true
  const app = make(factoryOptions(plan))
  const given = cloneSchema(schema)
  try {
    for (const shared of Object.values(externals)) app.addSchema(cloneSchema(shared))
    const entry =
      contentType === undefined ? given : { content: { [contentType]: { schema: given } } }
    app.route({
      method: 'POST',
      url: '/',
      schema: part === 'response' ? { response: { [String(status)]: entry } } : { [part]: given },
      handler: () => 'never',
    })
    await app.ready()
    return true
  } catch {
    return false
  }
}
