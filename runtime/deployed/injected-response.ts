/** What light-my-request takes for an answer where it cannot derive one from `http.ServerResponse`. */
import { FetchResponse } from '../adapter/fetch/response.ts'
import type { FetchRequest } from '../adapter/fetch/request.ts'

/** Resolves or, when there is no second function, calls back. */
type OnEnd = (first: unknown, payload?: unknown) => void
type Parse = (response: { readonly headers: object }) => unknown

/** The class, whose constructor has the parameters of light-my-request's. @param parseCookies of set-cookie-parser */
export default function createInjectedResponse(parseCookies: Parse): unknown {
  return class InjectedResponse extends FetchResponse {
    constructor(request: FetchRequest, onEnd: OnEnd, reject?: (error: unknown) => void) {
      const fail = (error: unknown): void => {
        if (reject) reject(error)
        else onEnd(error, null)
      }
      const succeed = async (response: Response): Promise<void> => {
        const bytes = Buffer.from(await response.arrayBuffer())
        const result = resultOf(this, bytes, parseCookies)
        if (reject) onEnd(result)
        else onEnd(null, result)
      }
      super(request, (response) => void succeed(response).catch(fail), fail)
    }
  }
}

function resultOf(response: FetchResponse, rawPayload: Buffer, parseCookies: Parse): object {
  const headers = Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  )
  const payload = rawPayload.toString()
  return {
    raw: { res: response, req: response.req },
    headers,
    statusCode: response.statusCode,
    statusMessage: response.statusMessage,
    trailers: {},
    get cookies() {
      return parseCookies({ headers })
    },
    rawPayload,
    payload,
    body: payload,
    json: () => JSON.parse(payload) as unknown,
    stream: () => process.getBuiltinModule('node:stream').Readable.from([rawPayload]),
  }
}
