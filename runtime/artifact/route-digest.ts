/**
 * One digest for all schemas of a route: tells an artifact in a single file that it has all of a route's functions,
 * without the text of every route in that file. The build and the runtime share it.
 */
import { digestOf } from './digest.ts'
import type { Digest, RouteCheck } from './index.ts'
import type { RouteSchema } from './normalize.ts'
import { headersOf } from './normalize.ts'
import type { RouteFactories } from './route-slots.ts'

/**
 * The digest of a normalised schema.
 *
 * @param isCustom whether header schemas go to the compiler as they are; see `validatorParts`
 * @throws TypeError when a schema has a cycle or a bigint
 */
export function routeDigest(
  schema: RouteSchema,
  { validators, serializers }: RouteFactories,
  isCustom: boolean,
): Digest {
  const { body, querystring, params, response } = schema
  const headers = schema.headers && headersOf(schema, isCustom)
  let text = ''
  if (validators) text += validators.fingerprint({ headers, body, querystring, params })
  if (serializers) text += `\n${serializers.fingerprint(response as object)}`
  return digestOf(text)
}

/** @param known what `routeDigest` gives for the routes that have all of their functions */
export function createDigestCheck(known: ReadonlySet<Digest>): RouteCheck {
  return { add, settle: () => undefined, digestsOf: () => undefined }

  function add(
    schema: RouteSchema,
    factories: RouteFactories,
    isCustom: boolean,
    checkEach: () => void,
  ): void {
    if (!isKnown(schema, factories, isCustom)) checkEach()
  }

  function isKnown(schema: RouteSchema, factories: RouteFactories, isCustom: boolean): boolean {
    try {
      return known.has(routeDigest(schema, factories, isCustom))
    } catch {
      // The check of each schema tells which one has no digest.
      return false
    }
  }
}

/** Whether a schema has parts that requests are validated by. */
export function hasRequestParts({ headers, body, querystring, params }: RouteSchema): boolean {
  return !!(body || headers || querystring || params)
}
