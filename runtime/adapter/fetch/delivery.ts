import type { Chunk, Delivery, Head } from '../hosted/delivery.ts'
import { createStreamedBody } from './body.ts'

type Body = ConstructorParameters<typeof Response>[0]

/** Delivers a response as a `Response`. */
export function createDelivery(
  resolve: (response: Response) => void,
  reject: (error: Error) => void,
): Delivery {
  return {
    whole(head, body) {
      resolve(toResponse(head, body))
    },
    stream(head, onCancel) {
      const body = createStreamedBody(head.headers.get('content-length'), onCancel)
      resolve(toResponse(head, body.stream))
      return body
    },
    fail: reject,
  }
}

function toResponse(
  { statusCode, statusMessage, headers: given }: Head,
  body: Chunk | ReadableStream<Uint8Array> | null,
): Response {
  const headers = new Headers()
  for (const [name, value] of given.outgoing()) {
    if (Array.isArray(value)) for (const one of value) headers.append(name, one)
    else headers.set(name, String(value))
  }
  // `Response` would add a content type to a string.
  const content =
    typeof body === 'string' && !headers.has('content-type') ? Buffer.from(body) : body
  const init: ResponseInit & { encodeBody: 'manual' } = {
    status: statusCode,
    statusText: statusMessage,
    headers,
    // Otherwise workerd would compress the body as `content-encoding` says.
    encodeBody: 'manual',
  }
  return new Response(content as Body, init)
}
