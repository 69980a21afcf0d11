/** Counter-examples: made as small as they get, and as files that show them when they are run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { literal } from '../../../compiler/4-emit/text/source.ts'
import type { ParityRequest } from '../../support/request.ts'
import { accepted } from './accepted.ts'
import type { Ask } from './exchanges.ts'
import { routesOf, type Plan } from './plan.ts'
import { built, differences, type Failure, type Found } from './round.ts'
import { buildWritten, remove, write } from './served.ts'
import { shrinkPlan, smallerRequests } from './shrink.ts'
import { sourceOf } from './source.ts'

/** How many smaller applications to try: each takes a second or two. */
const TRIES = 60

export async function shrink(failure: Failure): Promise<Failure> {
  const { ask } = failure
  if (ask === undefined) {
    const plan = await shrinkPlan(
      failure.plan,
      async (smaller) => (await isAccepted(smaller)) && (await problemsOf(smaller)).length > 0,
      TRIES,
    )
    return { ...failure, plan, lines: await problemsOf(plan) }
  }
  // What only shows after other requests is left as it is.
  if ((await failing(failure.plan, [ask])).length === 0) return failure
  const smallest = await smallestRequest(failure.plan, ask)
  const plan = await shrinkPlan(
    failure.plan,
    async (smaller) => (await failing(smaller, [smallest])).length > 0,
    TRIES,
  )
  const asked = await smallestRequest(plan, smallest)
  const [found] = await failing(plan, [asked])
  return { ...failure, plan, ask: asked, lines: found?.lines ?? failure.lines }
}

/** All requests that have one piece less are tried at once. */
async function smallestRequest(plan: Plan, ask: Ask): Promise<Ask> {
  const smaller = smallerRequests(ask.exchange.request as ParityRequest).map(
    (request, index): Ask => {
      const title = `${index}`
      return { ...ask, exchange: { ...ask.exchange, title, request } as Ask['exchange'] }
    },
  )
  const [found] = await failing(plan, smaller)
  return found?.ask === undefined ? ask : smallestRequest(plan, found.ask)
}

/** What differs and is not allowed, without what keeps an application from being served. */
async function failing(plan: Plan, asks: readonly Ask[]): Promise<Found[]> {
  const app = write(plan)
  if ((await buildWritten(app)).length > 0) {
    remove(app)
    return []
  }
  const routes = [...routesOf(plan.root)]
  const placed = asks.map((ask) => ({
    ...ask,
    placed: routes.find(({ url }) => url === ask.placed?.url),
  }))
  const found = await differences(app, placed)
  return found.filter(({ ask, kind }) => ask !== undefined && kind === undefined)
}

/** Whether Fastify takes all of it. */
async function isAccepted(plan: Plan): Promise<boolean> {
  return isDeepStrictEqual(await accepted(plan), plan)
}

/** What a build refuses and must not. */
async function problemsOf(plan: Plan): Promise<readonly string[]> {
  const { app, refused } = await built(plan)
  remove(app)
  return refused.flatMap(({ lines }) => lines)
}

/** For a report: the application, the request, and what differs. */
export function describeFailure({ seed, plan, ask, lines }: Failure): string {
  const asked = ask === undefined ? [] : [inWords(ask)]
  return [`Seed ${seed}`, sourceOf(plan), ...asked, ...lines].join('\n')
}

function inWords({ exchange, given }: Ask): string {
  return `${exchange.via} ${literal(exchange.request)}\nanswered with ${literal(given)}`
}

/** Writes a module that shows the failure again; returns its path. */
export function writeCounterExample(failure: Failure, folder: string, name: string): string {
  const file = join(folder, `counter-example-requests-${name}.mjs`)
  const module = new URL('counter-example.js', import.meta.url).href
  const { plan, ask } = failure
  const comment = describeFailure(failure).replaceAll('*/', '* /')
  writeFileSync(
    file,
    `/* ${comment} */
import { replay } from ${literal(module)}

await replay(${literal(plan)}, ${literal(ask)})
`,
  )
  return file
}

/** Prints what differs. */
export async function replay(plan: Plan, ask: Ask | undefined): Promise<void> {
  console.log(sourceOf(plan))
  const { app, refused } = await built(plan)
  for (const { lines } of refused) console.log(lines.join('\n'))
  const found = await differences(app, ask === undefined ? [] : [ask])
  for (const { lines, kind } of found) console.log([...lines, kind?.reason ?? ''].join('\n'))
  if (refused.length + found.length === 0) console.log('No difference.')
}
