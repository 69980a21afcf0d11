import {
  cloneSchema,
  normalizeSchema,
  serializerParts,
  validatorParts,
} from '../../runtime/artifact/normalize.ts'
import type { RouteSchema } from '../../runtime/artifact/normalize.ts'
import type { Manifest } from '../5-bundle/manifest.ts'
import type { Route } from '../built-schemas.ts'
import { schemaOf, sharedSchemas } from '../built-schemas.ts'
import type { SchemaNode } from './nodes.ts'
import { rootNode } from './nodes.ts'

/** The schemas of a route by part: `body`, `200`, `2xx application/json`. */
export interface RouteParts {
  readonly request: ReadonlyMap<string, SchemaNode>
  readonly response: ReadonlyMap<string, SchemaNode>
}

export function partsOf(manifest: Manifest, route: Route): RouteParts {
  const shared = sharedSchemas(manifest, route.context)
  const schema = schemaOf(manifest, route) ?? {}
  const { jsonShorthand } = manifest.factory
  const normalized = normalizeSchema(cloneSchema(schema) as RouteSchema, { jsonShorthand }, fail)
  const node = (part: unknown): SchemaNode => rootNode(part, shared)
  const isKept = (part: string): boolean => !route.external.includes(part)
  return {
    request: new Map(
      validatorParts(normalized, false)
        .filter(({ httpPart }) => isKept(httpPart))
        .map(({ httpPart, schema: part }) => [httpPart, node(part)]),
    ),
    response: new Map(
      serializerParts(normalized, fail)
        .map(({ httpStatus, contentType, schema: part }) => {
          const key = [httpStatus, contentType].filter(Boolean).join(' ')
          return [key, node(part)] as const
        })
        .filter(([key]) => isKept(key)),
    ),
  }
}

/** A build has accepted what stands in a manifest. */
function fail(rule: string, ...subjects: string[]): never {
  throw new TypeError(
    `The manifest holds a schema that no build accepts: ${rule} ${subjects.join()}`,
  )
}
