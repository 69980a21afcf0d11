/**
 * Recognizes whole routes by one digest of all their schemas, which takes a third of the time of a digest per schema. The build and the
 * runtime share this code.
 */
import { digestOf } from './digest.ts'
import type {
  Digest,
  FindRoute,
  HttpPart,
  RouteFactories,
  RouteFunction,
  RouteTarget,
} from './index.ts'
import { isExact, mayBeInexact } from './json.ts'
import type { RouteSchema, SchemaReading } from './normalize.ts'

/** Without a media type, the second item is 0. */
type Part = readonly [nameOrStatus: string, contentType: string | 0, schema: unknown]

interface RouteParts {
  readonly requests: readonly Part[]
  readonly responses: readonly Part[]
}

type SchemaTarget = RouteTarget & { readonly schema: unknown }

/**
 * Returns the digest of a normalized schema; undefined if a part has no JSON, is `null`, or contains more than its JSON.
 *
 * @param isCustom pass header schemas unchanged; see `SchemaReading`
 * @throws TypeError if a schema has a cycle or a bigint
 */
export function routeDigest(
  schema: RouteSchema,
  factories: RouteFactories,
  isCustom: boolean,
  reading: SchemaReading,
): Digest | undefined {
  const parts = partsOf(schema, factories, isCustom, reading)
  const isWhole = targetsIn(parts).every(
    ({ schema: part }) => isExact(part) && (JSON.stringify(part) ?? 'null') !== 'null',
  )
  return isWhole ? digestOf(textOf(parts, factories)) : undefined
}

/** Returns the parts that the artifact has functions for, in their order. */
function partsOf(
  schema: RouteSchema,
  { validators, serializers }: RouteFactories,
  isCustom: boolean,
  reading: SchemaReading,
): RouteParts {
  const requests = validators === undefined ? [] : reading.validators(schema, isCustom)
  const responses = serializers === undefined ? [] : reading.serializers(schema, refuse)
  return {
    requests: requests.map((one) => [
      one.httpPart,
      one.contentType ?? 0,
      validators?.inJson(one.schema),
    ]),
    responses: responses.map((one) => [
      one.httpStatus,
      one.contentType ?? 0,
      serializers?.inJson(one.schema),
    ]),
  }
}

function refuse(): never {
  throw new TypeError('A response has no valid status')
}

function targetsIn({ requests, responses }: RouteParts): SchemaTarget[] {
  const targetOf = (target: RouteTarget, [, contentType, schema]: Part): SchemaTarget =>
    contentType === 0 ? { ...target, schema } : { ...target, contentType, schema }
  return [
    ...requests.map((part) => targetOf({ httpPart: part[0] as HttpPart }, part)),
    ...responses.map((part) => targetOf({ httpStatus: part[0] }, part)),
  ]
}

function textOf({ requests, responses }: RouteParts, factories: RouteFactories): string {
  const { validators, serializers } = factories
  return `${validators?.fingerprint(requests) ?? ''}\n${serializers?.fingerprint(responses) ?? ''}`
}

/**
 * Creates the function that finds the functions of whole routes.
 *
 * @param readRoutes returns `Catalogue.routes`
 * @param digestAt returns the digest at a position
 */
export function createRouteFinder(
  readRoutes: () => string,
  digestAt: (position: number) => Digest,
): FindRoute {
  /** Positions of routes in `Catalogue.routes`. */
  let known: Map<Digest, number> | undefined
  return (schema, { factories, isCustom, reading }) => {
    known ??= mapRoutes(readRoutes())
    try {
      const parts = partsOf(schema, factories, isCustom, reading)
      const text = textOf(parts, factories)
      const start = known.get(digestOf(text))
      if (start === undefined) return undefined
      // The schemas that were compiled are described completely by their JSON.
      if (mayBeInexact(text) && !targetsIn(parts).every((target) => isExact(target.schema)))
        return undefined
      return functionsOf.bind(null, start, parts)
    } catch {
      // Checking schema by schema finds the one without a digest.
      return undefined
    }
  }

  function functionsOf(start: number, parts: RouteParts): RouteFunction[] {
    const routes = readRoutes()
    const positions = routes.slice(routes.indexOf(':', start) + 1, routes.indexOf(';', start))
    const digests = positions.split(' ').map((position) => digestAt(Number(position)))
    return targetsIn(parts).map(({ schema, ...target }, i) => {
      return { target, schema, digest: digests[i] as Digest }
    })
  }
}

function mapRoutes(routes: string): Map<Digest, number> {
  const known = new Map<Digest, number>()
  for (let at = 1; at < routes.length; at = routes.indexOf(';', at) + 1) {
    known.set(routes.slice(at, routes.indexOf(':', at)), at)
  }
  return known
}
