/** The response class of light-my-request, for platforms where it can't extend `http.ServerResponse`. */
import type { Chunk, Delivery, Head } from '../adapter/hosted/delivery.ts'
import type { HostedRequest } from '../adapter/hosted/request.ts'
import { HostedResponse } from '../adapter/hosted/response.ts'
import { streams } from '../platform/index.ts'

/** Resolves a promise, or calls back if no `reject` is given. */
type OnEnd = (first: unknown, payload?: unknown) => void
type Parse = (response: { readonly headers: object }) => unknown

/** @param parseCookies the function of set-cookie-parser */
export default function createInjectedResponse(parseCookies: Parse): unknown {
  return class InjectedResponse extends HostedResponse {
    constructor(request: HostedRequest, onEnd: OnEnd, reject?: (error: unknown) => void) {
      const fail = (error: unknown): void => {
        if (reject) reject(error)
        else onEnd(error, null)
      }
      const succeed = (head: Head, body: Buffer): void => {
        const result = { raw: { res: this, req: request }, ...resultOf(head, body, parseCookies) }
        if (reject) onEnd(result)
        else onEnd(null, result)
      }
      super(request, collecting(succeed, fail))
    }
  }
}

/** Calls back once the response is complete. */
function collecting(
  succeed: (head: Head, body: Buffer) => void,
  fail: (error: unknown) => void,
): Delivery {
  return {
    whole: (head, body) => succeed(head, toBuffer(body ?? '')),
    stream(head) {
      const chunks: Uint8Array[] = []
      return {
        write(chunk, done) {
          chunks.push(chunk)
          done()
        },
        close(done) {
          done()
          succeed(head, Buffer.concat(chunks))
        },
        fail,
      }
    },
    fail,
  }
}

function toBuffer(chunk: Chunk): Buffer {
  return Buffer.from(chunk as Uint8Array)
}

function resultOf(
  { statusCode, statusMessage, headers: given }: Head,
  rawPayload: Buffer,
  parseCookies: Parse,
): object {
  const headers = Object.fromEntries(
    Object.entries(given.toObject()).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  )
  const payload = rawPayload.toString()
  return {
    statusCode,
    statusMessage,
    headers,
    cookies: parseCookies({ headers }),
    trailers: {},
    rawPayload,
    payload,
    body: payload,
    json: () => JSON.parse(payload) as unknown,
    stream: () => streams().Readable.from([rawPayload]),
  }
}
