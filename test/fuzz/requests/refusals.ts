/** Schemas that a build refuses and Fastify does not: the same ones as where schemas alone are compared. */
import { AssertionError } from 'node:assert'
import { cloneSchema } from '../../../runtime/artifact/normalize.ts'
import type { Fail } from '../../../runtime/artifact/normalize.ts'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { createComparison } from '../case.ts'
import { profiles, type Profile } from '../profiles.ts'
import { routesOf, type Json, type PartPlan, type Plan } from './plan.ts'

/** Returns whether docs/reference/differences.md lists it among the schemas that a build refuses. */
export function isKnownRefusal(plan: Plan, part: PartPlan): boolean {
  if (part.part !== 'response') return false
  const placed = [...routesOf(plan.root)].find(({ route }) => route.parts.includes(part))
  const externals = placed?.externals ?? {}
  const comparison = createComparison(profiles[plan.serializers] as Profile, externals)
  const schema = completed(plan, part)
  try {
    const compared = comparison.compare({ kind: 'serializer', schema, externals, valueSeed: 0 })
    return compared === undefined
  } catch (error) {
    if (error instanceof AssertionError) return false
    throw error
  }
}

/** The schema that is compiled for a response: short forms are completed. */
function completed({ options }: Plan, { status = '', contentType, schema }: PartPlan): Json {
  const entry = contentType === undefined ? schema : { content: { [contentType]: { schema } } }
  const whole = cloneSchema({ response: { [status]: entry } })
  fastify4Reading.normalize(whole, { jsonShorthand: options['jsonShorthand'] !== false }, fail)
  return fastify4Reading.serializers(whole, fail)[0]?.schema as Json
}

const fail: Fail = (rule) => {
  throw new Error(rule)
}
