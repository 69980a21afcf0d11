/**
 * One digest for all schemas of a route. An artifact in a single file uses it to recognize routes without
 * containing their texts. The build and the runtime share this code.
 */
import { parsePositions } from './catalogue.ts'
import { digestOf } from './digest.ts'
import type { Digest, RouteCheck, RouteLines, RouteToCheck } from './index.ts'
import { mayBeInexact } from './json.ts'
import type { RouteSchema } from './normalize.ts'
import type { SchemaReading } from './reading/index.ts'
import { addSlots, areExact, functionsAt, type RouteFactories } from './route-slots.ts'

/**
 * Returns the digest of a normalized schema.
 *
 * @param isCustom pass header schemas unchanged; see `validatorParts`
 * @throws TypeError if a schema has a cycle or a bigint
 */
export function routeDigest(
  schema: RouteSchema,
  factories: RouteFactories,
  isCustom: boolean,
  reading: SchemaReading,
): Digest {
  return digestOf(textOf(schema, factories, isCustom, reading))
}

function textOf(
  schema: RouteSchema,
  { validators, serializers }: RouteFactories,
  isCustom: boolean,
  { headersOf }: SchemaReading,
): string {
  const { body, querystring, params, response } = schema
  const headers = headersOf(schema, isCustom)
  let text = ''
  if (validators) text += validators.fingerprint({ headers, body, querystring, params })
  if (serializers) text += `\n${serializers.fingerprint(response as object)}`
  return text
}

/**
 * @param routes `EagerArtifact.routes`
 * @param digestAt returns the digest at a position
 */
export function createDigestCheck(
  routes: string,
  digestAt: (position: number) => Digest,
): RouteCheck {
  const lines: RouteLines = {
    functionsOf: (start, _nth, slots, at) => functionsAt(slots, at, digestsOf(start)),
  }
  /** Positions of routes in `routes`. */
  let known: Map<Digest, number> | undefined
  return { add, addEach: (route) => route.checkEach(), settle: () => undefined }

  function add(route: RouteToCheck): void {
    const { schema, binding } = route
    const { factories, isCustom, reading } = binding
    const slots: unknown[] = []
    let start: number | undefined
    let isDoubtful = false
    try {
      known ??= mapRoutes(routes)
      const text = textOf(schema, factories, isCustom, reading)
      start = known.get(digestOf(text))
      isDoubtful = mayBeInexact(text)
      if (start !== undefined) addSlots(slots, schema, factories, () => 1, isCustom, reading)
    } catch {
      // Checking schema by schema finds the one without a digest.
      start = undefined
    }
    if (start === undefined || (isDoubtful && !areExact(slots, 0, slots.length))) route.checkEach()
    else route.found(lines, start, 0, slots, 0)
  }

  function digestsOf(start: number): readonly Digest[] {
    const positions = routes.slice(routes.indexOf(':', start) + 1, routes.indexOf(';', start))
    return parsePositions(positions).map((position) => digestAt(position))
  }
}

function mapRoutes(routes: string): Map<Digest, number> {
  const known = new Map<Digest, number>()
  for (let at = 1; at < routes.length; at = routes.indexOf(';', at) + 1) {
    known.set(routes.slice(at, routes.indexOf(':', at)), at)
  }
  return known
}
