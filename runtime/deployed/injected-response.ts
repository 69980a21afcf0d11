/** The response class of light-my-request, for platforms where it can't extend `http.ServerResponse`. */
import type { HeaderRecord } from '../adapter/hosted/headers.ts'
import type { HostedRequest } from '../adapter/hosted/request.ts'
import { HostedResponse } from '../adapter/hosted/response.ts'
import { type Chunk, collectBody, type StreamedBody } from '../adapter/hosted/streamed-body.ts'
import { streams } from '../platform/index.ts'

/** Resolves a promise, or calls back if no `reject` is given. */
type OnEnd = (first: unknown, payload?: unknown) => void
type Parse = (response: { readonly headers: object }) => unknown

/** @param parseCookies the function of set-cookie-parser */
export default function createInjectedResponse(parseCookies: Parse): unknown {
  return class InjectedResponse extends HostedResponse<object> {
    constructor(request: HostedRequest, onEnd: OnEnd, reject?: (error: unknown) => void) {
      const succeed = (result: object): void => (reject ? onEnd(result) : onEnd(null, result))
      super(request, succeed, reject ?? ((error) => onEnd(error, null)), false)
    }

    protected override deliver(headers: HeaderRecord, body: Chunk | null): void {
      const raw = { res: this, req: this.req }
      const bytes = Buffer.from((body ?? '') as Uint8Array)
      this.resolve({ raw, ...resultOf(this, headers, bytes, parseCookies) })
    }

    protected override deliverStream(headers: HeaderRecord): StreamedBody {
      return collectBody((body) => this.deliver(headers, body), this.reject)
    }
  }
}

function resultOf(
  { statusCode, statusMessage }: HostedResponse<object>,
  given: HeaderRecord,
  rawPayload: Buffer,
  parseCookies: Parse,
): object {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
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
