import type { RouteTarget } from '../artifact/index.ts'
import type { SerializerFunction } from './model.ts'
import type { RouteContext } from './route-context.ts'

/** Serializers by media type, for a response schema with `content`. */
type ContentSerializers = Record<string, SerializerFunction | undefined>

/** Serializers by response status: `200`, `2xx` or `default`. */
export type ResponseSerializers = Record<
  string,
  SerializerFunction | ContentSerializers | undefined
>

/** Adds the serializer of a status, or of one of its media types. */
export function addSerializer(
  route: RouteContext,
  { httpStatus, contentType }: RouteTarget,
  serializer: SerializerFunction,
): void {
  const serializers = (route.serializers ??= {})
  const status = httpStatus as string
  if (contentType === undefined) {
    serializers[status] = serializer
  } else {
    const content = (serializers[status] ??= {}) as ContentSerializers
    content[contentType] = serializer
  }
}

/**
 * Returns the serializer of the exact status, of its class, or the default one.
 *
 * @returns `null` if the response has no schema for the status or media type; without a valid content type, the map of all media types
 */
export function getSerializer(
  route: RouteContext,
  statusCode: number,
  contentType: string | undefined,
): SerializerFunction | ContentSerializers | null {
  const { serializers } = route
  if (serializers === null) return null
  const entry =
    serializers[statusCode] ?? serializers[`${String(statusCode)[0]}xx`] ?? serializers.default
  if (entry === undefined) return null
  // An application's compiler may return objects of its own.
  if (typeof entry === 'function' || !contentType || entry.constructor !== Object) return entry
  const mediaType = route.line.toMediaType(contentType)
  if (mediaType === undefined) return entry
  // Keys may be written in any spelling (RFC 9110, section 8.3.1).
  const key = Object.keys(entry).find((one) => route.line.toMediaType(one) === mediaType)
  return entry[key ?? '*/*'] ?? null
}

/** Serializes a payload by the response schema of its status, or as plain JSON. */
export function serialize(
  route: RouteContext,
  payload: unknown,
  statusCode: number,
  contentType?: string,
): string {
  const serializer = getSerializer(route, statusCode, contentType)
  if (serializer === null) return JSON.stringify(payload)
  if (typeof serializer === 'function') return serializer(payload)
  // The error of Fastify, which calls the map of media types.
  throw new TypeError('fnSerialize is not a function')
}
