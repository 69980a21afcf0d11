import type { RouteTarget } from '../artifact/route-slots.ts'
import type { SerializerFunction } from './model.ts'
import type { RouteContext } from './route-context.ts'

/** By media type, for a response that has `content`. */
export type ContentSerializers = Record<string, SerializerFunction | undefined>

/** The serializers of a route by response status: `200`, `2xx` or `default`. */
export type ResponseSerializers = Record<
  string,
  SerializerFunction | ContentSerializers | undefined
>

/** Keeps the serializer of a status, or of one of its media types. */
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
 * The serializer for a response: of its exact status, else of its class, else the default one. An entry
 * with `content` that lacks the media type means plain JSON; it does not lead to the next entry.
 *
 * @returns `null` when the response has no schema, the whole map of a `content` entry when there is no
 * content type to choose by
 */
export function getSerializer(
  route: RouteContext,
  statusCode: number,
  contentType: string | undefined,
): SerializerFunction | ContentSerializers | null {
  const { serializers } = route
  if (serializers === null) return null
  const entry = serializers[statusCode] ?? serializers[classOf(statusCode)] ?? serializers.default
  if (entry === undefined) return null
  if (typeof entry === 'function' || !contentType || entry.constructor !== Object) return entry
  return entry[contentType.split(';')[0] as string] ?? null
}

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']

/** By its first digit. An application may have set anything on `reply.raw`. */
function classOf(statusCode: number): string {
  return CLASSES[Math.trunc(statusCode / 100) - 1] ?? `${`${statusCode}`[0]}xx`
}

/** The payload as the response schema of its status wants it, else as plain JSON. */
export function serialize(
  route: RouteContext,
  payload: unknown,
  statusCode: number,
  contentType?: string,
): string {
  const serializer = getSerializer(route, statusCode, contentType)
  if (serializer === null) return JSON.stringify(payload)
  if (typeof serializer === 'function') return serializer(payload)
  throw new TypeError('fnSerialize is not a function')
}
