/** `reply.getSerializationFunction`, `compileSerializationSchema` and `serializeInput`. */
import { errorCodes } from '../../errors/index.ts'
import type { Request, SerializerFunction } from '../model.ts'
import type { RouteContext } from '../route-context.ts'
import { kContext, kRoute } from '../symbols.ts'

/** Returns the serializer of a status and media type, or of a schema that was compiled for this route. */
export function findSerializer(
  route: RouteContext,
  schemaOrStatus: unknown,
  contentType: string | null | undefined,
): unknown {
  if (typeof schemaOrStatus === 'string' || typeof schemaOrStatus === 'number') {
    return serializerOf(route, schemaOrStatus, contentType)
  }
  if (typeof schemaOrStatus !== 'object') return undefined
  return route.compiledSerializers?.get(schemaOrStatus as object)
}

function serializerOf(
  route: RouteContext,
  status: string | number,
  contentType: string | null | undefined,
): unknown {
  if (route.serializers === null) return undefined
  const entry = route.serializers[status]
  if (entry === undefined || typeof entry === 'function') {
    return typeof contentType === 'string' ? undefined : entry
  }
  // Without a media type, return the map of all.
  return typeof contentType === 'string' ? entry[contentType] : entry
}

/** Compiles a schema once for each route. */
export function compileSerializer(
  request: Request,
  schema: object,
  httpStatus: string | number | null,
  contentType: string | null,
): SerializerFunction {
  const route = request[kRoute]
  const known = route.compiledSerializers?.get(schema)
  if (known !== undefined) return known
  const { app, schemas } = route.server[kContext]
  const { serializerOpts } = app.options
  const compile = route.serializerCompiler || schemas.serializer.provide(serializerOpts)
  const { method, url } = request
  const serializer = compile({ schema, method, url, httpStatus, contentType })
  ;(route.compiledSerializers ??= new WeakMap()).set(schema, serializer)
  return serializer
}

/**
 * Serializes with a schema or with a response schema of the route: `(input, schema, status, contentType)` or
 * `(input, status, contentType)`.
 *
 * @throws FST_ERR_MISSING_SERIALIZATION_FN, FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN
 */
export function serializeInput(
  request: Request,
  input: unknown,
  schema: unknown,
  second: string | number | null | undefined,
  third: string | null | undefined,
): unknown {
  const isStatus = typeof schema === 'string' || typeof schema === 'number'
  const status = isStatus ? schema : second
  const contentType = status && second !== status ? (second as string | null | undefined) : third
  if (status === null || status === undefined) {
    return compileSerializer(request, schema as object, null, contentType ?? null)(input)
  }
  const serializer = serializerOf(request[kRoute], status, contentType)
  if (serializer === null || serializer === undefined) {
    if (contentType) {
      throw new errorCodes.FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN(status, contentType)
    }
    throw new errorCodes.FST_ERR_MISSING_SERIALIZATION_FN(status)
  }
  return (serializer as SerializerFunction)(input)
}
