import type { SerializerFunction } from './model.ts'
import type { RouteContext } from './route-context.ts'

/** By media type, for a response that has `content`. */
export type ContentSerializers = Record<string, SerializerFunction | LazySerializer | undefined>

/** The serializers of a route by response status: `200`, `2xx` or `default`. */
export type ResponseSerializers = Record<
  string,
  SerializerFunction | ContentSerializers | LazySerializer | undefined
>

/** A serializer that is loaded at the route's first request, or when it is asked for before. */
export class LazySerializer {
  readonly load: () => SerializerFunction

  constructor(load: () => SerializerFunction) {
    this.load = load
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
  const entry =
    entryOf(serializers, statusCode) ??
    entryOf(serializers, `${`${statusCode}`[0]}xx`) ??
    entryOf(serializers, 'default')
  if (entry === undefined) return null
  if (typeof entry === 'function' || !contentType) return entry
  return contentEntryOf(entry, contentType.split(';')[0] as string) ?? null
}

/** The entry of exactly that status, loaded. */
export function entryOf(
  serializers: ResponseSerializers,
  status: string | number,
): SerializerFunction | ContentSerializers | undefined {
  const entry = serializers[status]
  if (!(entry instanceof LazySerializer)) return entry
  return (serializers[status] = entry.load())
}

/** The entry of exactly that media type, loaded. */
export function contentEntryOf(
  content: ContentSerializers,
  mediaType: string,
): SerializerFunction | undefined {
  const entry = content[mediaType]
  if (!(entry instanceof LazySerializer)) return entry
  return (content[mediaType] = entry.load())
}

/** Loads the serializers of a route, before its first request is served. */
export function loadSerializers({ serializers }: RouteContext): void {
  for (const status in serializers) {
    const entry = entryOf(serializers, status)
    if (typeof entry !== 'object') continue
    for (const mediaType in entry) contentEntryOf(entry, mediaType)
  }
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
