/** One round: a random application, built ahead of time, and many requests to it. */
import { AssertionError } from 'node:assert'
import { literal } from '../../../compiler/util/literal.ts'
import { compare, type Difference } from '../../parity/compare.ts'
import { kindOf, type KnownKind, type Seen } from '../../parity/known-kinds.ts'
import type { Transcript } from '../../parity/transcript.ts'
import type { Engine } from '../../support/engines.ts'
import type { ParityRequest } from '../../support/request.ts'
import { accepted, withoutParts } from './accepted.ts'
import { randomPlan } from './applications.ts'
import { randomRequests, type PlannedRequest } from './exchanges.ts'
import { type PartPlan, type Plan, routesOf, type Json } from './plan.ts'
import { sendToBoth, buildWritten, remove, write, type Server, type Written } from './served.ts'
import { partsAt, sourceOf } from './source.ts'
import { cloneSchema, type Fail } from '../../../runtime/artifact/normalize.ts'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { createComparison } from '../case.ts'
import { profiles, type Profile } from '../profiles.ts'

export interface RoundResult {
  readonly requests: number
  /** Number of requests that show each kind of allowed difference. */
  readonly known: ReadonlyMap<KnownKind, number>
  readonly failures: readonly Failure[]
}

/** A failure: a different answer, or a build that refuses something that Fastify accepts. */
export interface Failure {
  readonly seed: number
  readonly plan: Plan
  /** The request; `undefined` if the application does not start. */
  readonly sent: PlannedRequest | undefined
  readonly lines: readonly string[]
}

export function describeFailure({ seed, plan, sent, lines }: Failure): string {
  const requestText =
    sent &&
    `${sent.exchange.via} ${literal(sent.exchange.request)}\nanswered with ${literal(sent.given)}`
  return [`Seed ${seed}`, sourceOf(plan), requestText ?? '', ...lines].join('\n')
}

export async function runRound(seed: number, requests: number): Promise<RoundResult> {
  const { plan, app, refused } = await built(await accepted(randomPlan(seed)))
  const planned = randomRequests(plan, requests, seed)
  const known = new Map<KnownKind, number>()
  const failures: Failure[] = refused.map((one) => ({ seed, sent: undefined, ...one }))
  for (const { sent, lines, kind } of await differences(app, planned)) {
    if (kind === undefined) failures.push({ seed, plan, sent, lines })
    else known.set(kind, (known.get(kind) ?? 0) + 1)
  }
  return { requests, known, failures }
}

export interface Found {
  readonly sent: PlannedRequest | undefined
  readonly lines: readonly string[]
  /** `undefined` if it is not allowed. */
  readonly kind: KnownKind | undefined
}

/** Sends the requests to both, and removes the application. */
export async function differences(
  app: Written,
  planned: readonly PlannedRequest[],
  engine?: Engine,
): Promise<Found[]> {
  try {
    const [expected, actual] = await sendToBoth(app, planned, engine)
    const exchanges = planned.map(({ exchange }) => exchange)
    return compare(exchanges, expected, actual).map((difference): Found => {
      const { lines } = difference
      const seen = seenOf(planned, difference, expected, actual)
      const kind = seen && kindOf(seen)
      return { sent: requestOf(planned, difference), lines, kind }
    })
  } catch (error) {
    return [{ sent: undefined, lines: [(error as Error).message], kind: undefined }]
  } finally {
    remove(app)
  }
}

/** The request and both answers of a difference; `undefined` if an answer is missing. */
export function seenOf(
  planned: readonly PlannedRequest[],
  difference: Difference,
  { outcomes: expectedOnes }: Transcript,
  { outcomes: actualOnes }: Transcript,
): Seen | undefined {
  const sent = requestOf(planned, difference)
  const index = sent === undefined ? -1 : planned.indexOf(sent)
  const [expected, actual] = [expectedOnes[index], actualOnes[index]]
  if (sent === undefined || expected === undefined || actual === undefined) return undefined
  const { route, externals = {} } = sent.placed ?? {}
  const request = sent.exchange.request as ParityRequest
  const { lines } = difference
  const { status } = sent.given
  return { parts: route?.parts ?? [], externals, request, status, expected, actual, lines }
}

function requestOf(planned: readonly PlannedRequest[], { title }: Difference) {
  return planned.find(({ exchange }) => exchange.title === title)
}

interface Built {
  readonly plan: Plan
  readonly app: Written
  /** The parts that had to be left out, each with the plan that the build refused. */
  readonly refused: readonly Pick<Failure, 'plan' | 'lines'>[]
}

/** Builds a plan, without the parts that a build refuses. */
export async function built(plan: Plan, server?: Server): Promise<Built> {
  const app = write(plan, server)
  const diagnostics = await buildWritten(app)
  if (diagnostics.length === 0) return { plan, app, refused: [] }
  remove(app)
  const parts = new Set<PartPlan>()
  const lines: string[] = []
  for (const { code, message, at } of diagnostics) {
    const found = partsAt(plan, at.line)
    for (const part of found) parts.add(part)
    if (!found.some((part) => isKnownRefusal(plan, part))) lines.push(`${code} ${message}`)
  }
  if (parts.size === 0) throw new Error(lines.join('\n'))
  const rest = await built(withoutParts(plan, parts), server)
  return { ...rest, refused: [...(lines.length > 0 ? [{ plan, lines }] : []), ...rest.refused] }
}

/** Returns whether docs/reference/differences.md lists it among the schemas that a build refuses. */
function isKnownRefusal(plan: Plan, part: PartPlan): boolean {
  if (part.part !== 'response') return false
  const placed = [...routesOf(plan.root)].find(({ route }) => route.parts.includes(part))
  const externals = placed?.externals ?? {}
  const compareSample = createComparison(profiles[plan.serializers] as Profile, externals)
  const schema = completed(plan, part)
  try {
    return compareSample({ kind: 'serializer', schema, externals, valueSeed: 0 }) === undefined
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
