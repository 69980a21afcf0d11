import type { LazySchema } from '../lazy-schemas/index.ts'
import type {
  Fail,
  NormalizeOptions,
  RouteSchema,
  SerializerPart,
  ValidatorPart,
} from '../normalize.ts'
import { isPart, normalizeSchema, serializerParts, validatorParts } from '../normalize.ts'

/** How a line reads the `schema` option of a route. */
export interface SchemaReading {
  /** Completes the option in place. */
  normalize(
    schema: RouteSchema,
    options: NormalizeOptions,
    fail: Fail,
    lazySchema?: LazySchema,
  ): RouteSchema
  /** Returns a shared schema as compilers get it. */
  shared(schema: unknown): unknown
  /** Returns whether a part of a request has a schema. */
  isPart(schema: unknown): boolean
  /** Returns the parts of requests in the order in which they are compiled. */
  validators(schema: RouteSchema, isCustom: boolean): readonly ValidatorPart[]
  serializers(schema: RouteSchema, fail: Fail): readonly SerializerPart[]
}

/** Fastify 4.21's. */
export const fastify4Reading: SchemaReading = {
  shared: (schema) => schema,
  normalize: normalizeSchema,
  isPart,
  validators: validatorParts,
  serializers: serializerParts,
}

/** Returns whether a schema has request parts. */
export function hasRequestParts(
  { headers, body, querystring, params }: RouteSchema,
  { isPart: has }: SchemaReading,
): boolean {
  return has(body) || has(headers) || has(querystring) || has(params)
}
