/**
 * What all functions of a route are made from, as seven values that JSON tells apart. The build and the runtime share it.
 */
import type { Digest, HttpPart, RouteFunction } from './index.ts'
import { isExact } from './json.ts'
import type { RouteSchema } from './normalize.ts'
import { headersOf, isPart } from './normalize.ts'
import type { UnitFactory } from './units.ts'

/** Makes the units of those kinds of schemas that the artifact has functions for; `undefined` for other kinds. */
export interface RouteFactories {
  readonly validators: UnitFactory | undefined
  readonly serializers: UnitFactory | undefined
}

/** What a function of a route is for. */
export interface RouteTarget {
  readonly httpPart?: HttpPart
  /** Lower case. */
  readonly httpStatus?: string
  readonly contentType?: string
}

/** With its schema, as the slot has it. */
export interface SlotTarget extends RouteTarget {
  readonly schema: unknown
}

/** The request parts, in the order of their slots. */
const PARTS: readonly HttpPart[] = ['headers', 'body', 'querystring', 'params']

/** Fills the slots of what is not there. */
const NONE = 0

/** Instead of a number of media types. */
const NO_CONTENT = -1

/**
 * Appends the slots of a route: the number of the settings of its request parts, which parts there are, the four of them,
 * the number of the settings of its responses, how many there are, and of each its status, its media types and schemas.
 * From the front on, each slot tells what the next ones mean.
 *
 * Each schema has a slot to itself, as it has a digest to itself: what surrounds schemas may have a `toJSON` of its own.
 * One without JSON, such as a function, is `null` there, which `textOfSlots` gives no text for.
 *
 * @param schema normalised
 * @param numberOf gives the number of what a compiler compiles with
 * @param isCustom whether header schemas go to the compiler as they are; see `validatorParts`
 */
export function addSlots(
  slots: unknown[],
  schema: RouteSchema,
  { validators, serializers }: RouteFactories,
  numberOf: (units: UnitFactory) => number,
  isCustom: boolean,
): void {
  if (validators === undefined) {
    slots.push(NONE, NONE, NONE, NONE, NONE, NONE)
  } else {
    const { body, querystring, params } = schema
    const headers = headersOf(schema, isCustom)
    slots.push(
      numberOf(validators),
      (isPart(headers) ? 1 : 0) +
        (isPart(body) ? 2 : 0) +
        (isPart(querystring) ? 4 : 0) +
        (isPart(params) ? 8 : 0),
      isPart(headers) ? validators.inJson(headers) : NONE,
      isPart(body) ? validators.inJson(body) : NONE,
      isPart(querystring) ? validators.inJson(querystring) : NONE,
      isPart(params) ? validators.inJson(params) : NONE,
    )
  }
  if (serializers === undefined) slots.push(NONE, NONE)
  else addResponses(slots, schema.response as RouteSchema, serializers, numberOf(serializers))
}

function addResponses(
  slots: unknown[],
  response: RouteSchema,
  units: UnitFactory,
  settings: number,
): void {
  const statuses = Object.keys(response)
  slots.push(settings, statuses.length)
  for (let i = 0; i < statuses.length; i++) {
    const status = statuses[i] as string
    const entry = response[status] as { content?: Record<string, { schema?: unknown }> } | null
    const content = entry?.content
    if (content) {
      const mediaTypes = Object.keys(content)
      slots.push(status, mediaTypes.length)
      for (const type of mediaTypes) slots.push(type, units.inJson(content[type]?.schema))
    } else {
      slots.push(status, NO_CONTENT, units.inJson(entry))
    }
  }
}

/** What the functions of a route are for, in their order, as the slots tell that stand from `at` on. */
export function targetsAt(slots: readonly unknown[], at: number): SlotTarget[] {
  const targets: SlotTarget[] = []
  const parts = slots[at + 1] as number
  let next = at + 2
  for (const [i, httpPart] of PARTS.entries()) {
    if (parts & (1 << i)) targets.push({ httpPart, schema: slots[next + i] })
  }
  next += PARTS.length
  const hasResponses = slots[next] !== NONE
  let statuses = slots[next + 1] as number
  for (next += 2; hasResponses && statuses > 0; statuses--) {
    const httpStatus = (slots[next] as string).toLowerCase()
    let mediaTypes = slots[next + 1] as number
    next += 2
    if (mediaTypes === NO_CONTENT) targets.push({ httpStatus, schema: slots[next++] })
    for (; mediaTypes > 0; mediaTypes--) {
      targets.push({ httpStatus, contentType: slots[next] as string, schema: slots[next + 1] })
      next += 2
    }
  }
  return targets
}

/** Whether the JSON of all schemas of a route says all of them; its slots stand from `at` to `end`. */
export function areExact(slots: readonly unknown[], at: number, end: number): boolean {
  for (let i = at; i < end; i++)
    if (typeof slots[i] === 'object' && !isExact(slots[i])) return false
  return true
}

/** With their digests, which are in the same order. */
export function functionsAt(
  slots: readonly unknown[],
  at: number,
  digests: readonly Digest[],
): RouteFunction[] {
  return targetsAt(slots, at).map(({ schema, ...target }, i) => {
    return { target, schema, digest: digests[i] as Digest }
  })
}

/**
 * The slots of a route as text: equal text, equal slots, also of several routes one after the other. `undefined` when a
 * schema has no JSON, or none but `null`, or is more than its JSON says.
 */
export function textOfSlots(slots: readonly unknown[]): string | undefined {
  if (!slots.every(isExact)) return undefined
  const texts = slots.map((slot) => JSON.stringify(slot) as string | undefined)
  return texts.includes(undefined) || texts.includes('null') ? undefined : `${texts.join()},`
}
