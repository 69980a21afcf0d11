/** Sends a request to a deployment for the web, in the same process. Pages load this file as it is, so it imports nothing. */

export interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  /** Latin-1. */
  readonly body: string | null
}

export interface PlainAnswer {
  readonly status: number
  readonly statusMessage: string
  readonly headers: [string, string][]
  /** Latin-1. */
  readonly body: string
}

/** Handles requests: a deployment, or a wrapper around one. */
type Fetch = (request: Request) => Promise<Response>

export async function ask(
  fetch: Fetch,
  { url, method, headers, body }: PlainRequest,
): Promise<PlainAnswer> {
  const init: RequestInit = { method, headers: new Headers(headers as [string, string][]) }
  if (body !== null) init.body = Uint8Array.from(body, (character) => character.charCodeAt(0))
  const response = await fetch(new Request(url, init))
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    statusMessage: response.statusText,
    headers: [...response.headers],
    body: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
  }
}

/** Returns whether strings can be evaluated here. */
export function evaluates(): boolean {
  try {
    // oxlint-disable-next-line no-new-func -- It must be refused.
    return Boolean(new Function('return true')())
  } catch {
    return false
  }
}
