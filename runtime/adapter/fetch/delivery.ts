import type { Chunk, Delivery, Head } from '../hosted/delivery.ts'
import { createStreamedBody } from './body.ts'

type Body = ConstructorParameters<typeof Response>[0]

/** Makes a `Response` of an answer. */
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
  // A `Response` would give a text a content type of its own.
  const content =
    typeof body === 'string' && !headers.has('content-type') ? Buffer.from(body) : body
  const init: ResponseInit & { encodeBody: 'manual' } = {
    status: statusCode,
    statusText: statusMessage,
    headers,
    // Unless told so, workerd itself encodes the body as the headers say it is.
    encodeBody: 'manual',
  }
  return new Response(content as Body, init)
}
