import { lowerCaseHeaders } from '../header-names.ts'
import { createReading, isPart, type RouteSchema, type SchemaReading } from '../normalize.ts'

/** How Fastify 4.21 reads the `schema` option of a route. */
export const fastify4Reading: SchemaReading = createReading({
  hasShortForms: true,
  hasBodyContent: false,
  mayLackSchema: true,
  isPart,
  shared: (schema) => schema,
  lowerHeaders: lowerCaseHeaders,
})

/** Returns whether a schema has request parts. */
export function hasRequestParts(
  { headers, body, querystring, params }: RouteSchema,
  { isPart: has }: SchemaReading,
): boolean {
  return has(body) || has(headers) || has(querystring) || has(params)
}
