/**
 * Describes everything that a route's functions are made from as a list of values for JSON. The build and the
 * runtime share this code.
 */
import type { Digest, HttpPart, RouteFunction } from './index.ts'
import { isExact } from './json.ts'
import type { RouteSchema } from './normalize.ts'
import type { SchemaReading } from './reading/index.ts'
import type { UnitFactory } from './units.ts'

/** Unit factories of the kinds of schemas that the artifact has functions for. */
export interface RouteFactories {
  readonly validators: UnitFactory | undefined
  readonly serializers: UnitFactory | undefined
}

/** The part of a route that a function is for. */
export interface RouteTarget {
  readonly httpPart?: HttpPart
  /** In lower case. */
  readonly httpStatus?: string
  readonly contentType?: string
}

/** A target with the schema from its slot. */
export interface SlotTarget extends RouteTarget {
  readonly schema: unknown
}

/** Request parts in the order of their slots. */
const PARTS: readonly HttpPart[] = ['headers', 'body', 'querystring', 'params']

/** Fills the slots of missing parts. */
const NONE = 0

/** Set in the bit set of the parts if a body has schemas by media type. */
const CONTENT = 16

/** Stands in place of the number of media types. */
const NO_CONTENT = -1

/**
 * Appends the slots of a route: the number of its request settings, a bit set of its parts, the four parts, the number of its response
 * settings, the number of responses, and for each its status, media types and schemas. Each slot determines the meaning of the next ones.
 *
 * Every schema has its own slot, because an enclosing object may have a `toJSON` method. A schema without JSON, such as a function, becomes
 * `null`, for which `textOfSlots` returns undefined.
 *
 * @param schema normalized
 * @param numberOf returns the number of a compiler's settings
 * @param isCustom pass header schemas unchanged; see `validatorParts`
 */
export function addSlots(
  slots: unknown[],
  schema: RouteSchema,
  { validators, serializers }: RouteFactories,
  numberOf: (units: UnitFactory) => number,
  isCustom: boolean,
  { contentOf, headersOf, isPart }: SchemaReading,
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
        (isPart(params) ? 8 : 0) +
        (isPart(body) && contentOf(body) ? CONTENT : 0),
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

/** Returns what the functions of a route are for, in order. Its slots start at `at`. */
export function targetsAt(slots: readonly unknown[], at: number): SlotTarget[] {
  const targets: SlotTarget[] = []
  const parts = slots[at + 1] as number
  let next = at + 2
  for (const [i, httpPart] of PARTS.entries()) {
    if (!(parts & (1 << i))) continue
    const schema = slots[next + i]
    if (httpPart !== 'body' || !(parts & CONTENT)) targets.push({ httpPart, schema })
    else targets.push(...contentTargets(schema as BodyContent))
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

interface BodyContent {
  readonly content: Readonly<Record<string, { readonly schema?: unknown }>>
}

function contentTargets({ content }: BodyContent): SlotTarget[] {
  return Object.entries(content).map(([contentType, { schema }]) => ({
    httpPart: 'body',
    contentType,
    schema,
  }))
}

/** Returns whether JSON describes all schemas of a route completely. Its slots are from `at` to `end`. */
export function areExact(slots: readonly unknown[], at: number, end: number): boolean {
  for (let i = at; i < end; i++)
    if (typeof slots[i] === 'object' && !isExact(slots[i])) return false
  return true
}

/** Returns the functions of a route, whose digests are in the same order. */
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
 * Returns the slots of one or several routes as text. Equal texts mean equal slots. Returns undefined if a
 * schema has no JSON, is `null`, or contains more than its JSON.
 */
export function textOfSlots(slots: readonly unknown[]): string | undefined {
  if (!slots.every(isExact)) return undefined
  const texts = slots.map((slot) => JSON.stringify(slot) as string | undefined)
  return texts.includes(undefined) || texts.includes('null') ? undefined : `${texts.join()},`
}
