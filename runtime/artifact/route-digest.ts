/**
 * One digest for all schemas of a route. The build and the runtime share it.
 *
 * It identifies no function: it spares a starting application a digest for each schema. A route whose digest the
 * build knows has all of its functions in the artifact; any other is looked at schema by schema.
 */
import { digestOf } from './digest.ts'
import type { Digest } from './index.ts'
import type { RouteSchema } from './normalize.ts'
import { headersOf } from './normalize.ts'
import type { UnitFactory } from './units.ts'

/** Makes the units of those kinds of schemas that the artifact has functions for; `undefined` for other kinds. */
export interface RouteFactories {
  readonly validators: UnitFactory | undefined
  readonly serializers: UnitFactory | undefined
}

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

/** Whether a schema has parts that requests are validated by. */
export function hasRequestParts({ headers, body, querystring, params }: RouteSchema): boolean {
  return !!(body || headers || querystring || params)
}
