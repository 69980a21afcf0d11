/** Reads the schemas of a route from a manifest, to compare two builds. */
import { cloneSchema, type RouteSchema } from '../../runtime/artifact/normalize.ts'
import type { Manifest } from '../../compiler/5-artifact/manifest.ts'
import type { Route } from '../../compiler/5-artifact/read/schemas.ts'
import {
  factoryOf,
  keyOfPart,
  libraryOf,
  refuseSchema,
  schemaOf,
  sharedSchemas,
} from '../../compiler/5-artifact/read/schemas.ts'
import { rootNode, type SchemaNode } from './nodes.ts'
import { rootOf } from '../../compiler/report/context-path.ts'
import { profileOf } from '../../compiler/servers/index.ts'
import { isMembers } from '../../compiler/util/json.ts'

/** The schemas of a route by part: `body`, `body text/plain`, `200`, `2xx application/json`. */
export interface RouteParts {
  readonly request: ReadonlyMap<string, SchemaNode>
  readonly response: ReadonlyMap<string, SchemaNode>
  /**
   * Parts that the application's own compiler reads, except for types of a library that are described as JSON schema; undefined if the
   * manifest doesn't contain all of its input.
   */
  readonly external: ReadonlyMap<string, SchemaNode | undefined>
}

export function partsOf(manifest: Manifest, route: Route): RouteParts {
  const shared = sharedSchemas(manifest, route.context)
  const schema = schemaOf(manifest, route) ?? {}
  const { jsonShorthand } = factoryOf(manifest, route)
  const { schemas } = profileOf(manifest.line ?? 'framework')
  const normalized = schemas.normalize(
    cloneSchema(schema) as RouteSchema,
    { jsonShorthand },
    refuseSchema,
  )
  const node = (part: unknown): SchemaNode => rootNode(part, shared)
  const named = (name: string, contentType: string | undefined, part: unknown) =>
    [[name, contentType].filter(Boolean).join(' '), node(part)] as const
  const request = schemas
    .validators(normalized, route.external.includes('headers'))
    .map(({ httpPart, contentType, schema: part }) => named(httpPart, contentType, part))
  const response = schemas
    .serializers(normalized, refuseSchema)
    .map(({ httpStatus, contentType, schema: part }) => named(httpStatus, contentType, part))
  const nodes = new Map([...request, ...response])
  const external = route.external.filter(
    (part) => libraryOf(route, part) === undefined || !isComplete(part, manifest, route),
  )
  const isKnown = ([part]: readonly [string, SchemaNode]): boolean => !external.includes(part)
  return {
    request: new Map(request.filter(isKnown)),
    response: new Map(response.filter(isKnown)),
    external: new Map(
      external.map((part) => [
        part,
        isComplete(part, manifest, route)
          ? (nodes.get(part) ?? nodes.get(keyOfPart(part)))
          : undefined,
      ]),
    ),
  }
}

/**
 * Returns whether the manifest surely contains the whole part, and all shared schemas, which a compiler may look up in its own ways.
 * `response` is opaque if none of its statuses is known.
 */
function isComplete(part: string, { dynamic }: Manifest, { opaque = [] }: Route): boolean {
  const hasUnknownSchemas = dynamic.some(({ code }) => code === 'AOT_SCHEMA_NOT_STATIC')
  return !hasUnknownSchemas && !opaque.includes(keyOfPart(part)) && !opaque.includes('response')
}

/** Key of a route from the client's point of view, without parameter names. */
export function keyOf({ method, url, context, constraints = {} }: Route): string {
  const path = url.replace(PARAMETER, ':')
  const constraintTexts = Object.entries(constraints).map((one) => one.join('='))
  return JSON.stringify([rootOf(context), method, path, constraintTexts.toSorted()])
}

/** `::` is a literal colon. */
const PARAMETER = /(?<=(?<!:)(?:::)*):[A-Za-z0-9_]+/g

/** Renames the parameters in a params schema: only their positions matter. */
export function renameParameters(schema: unknown, before: string, now: string): unknown {
  if (before === now || !isMembers(schema)) return schema
  const names = now.match(PARAMETER) ?? []
  const renamed = new Map(
    (before.match(PARAMETER) ?? []).map((name, i) => [name.slice(1), names[i]?.slice(1)]),
  )
  const rename = (name: string): string => renamed.get(name) ?? name
  const { properties, required, ...rest } = schema
  return {
    ...rest,
    ...(isMembers(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [rename(name), member]),
      ),
    }),
    ...(Array.isArray(required) && { required: required.map((name) => rename(String(name))) }),
  }
}
