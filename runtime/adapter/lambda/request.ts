import type { IncomingBody } from '../hosted/request.ts'
import { HostedRequest } from '../hosted/request.ts'
import type { EventFormat, LambdaEvent } from './event.ts'
import { requestIn, withoutPrefix } from './event.ts'

/** The arguments of a Lambda handler. */
export interface LambdaCall {
  readonly event: LambdaEvent
  readonly context: object
}

/** The `request.raw` of requests in Lambda events. */
export class LambdaRequest extends HostedRequest {
  readonly awsLambda: LambdaCall

  /** @param basePath the first folders of the path, which routes don't have */
  constructor(call: LambdaCall, format: EventFormat, basePath: string) {
    const { event } = call
    const request = requestIn[format](event)
    const { method, query, remoteAddress, isEncrypted } = request
    const path = withoutPrefix(request.path, basePath)
    const body = bodyOf(event)
    const headers = toNodeHeaders(request.headers)
    // Some gateways send no length, others the length before they have changed the body.
    if (body !== undefined && headers['transfer-encoding'] === undefined) {
      headers['content-length'] = String(body.length)
    }
    super(
      {
        method,
        url: query === '' ? path : `${path}?${query}`,
        headers,
        rawHeaders: request.headers.flat(),
        remoteAddress,
        isEncrypted,
      },
      body === undefined ? null : new WholeBody(body),
    )
    this.awsLambda = call
  }
}

class WholeBody implements IncomingBody {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  pull(deliver: (chunk: Buffer | null) => void): void {
    deliver(this.#bytes)
    deliver(null)
  }

  cancel(): void {}
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Buffer | undefined {
  // Load balancers send `''` if there is none.
  if (!body) return undefined
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

/** Headers of which Node keeps the first value only. */
const ONCE = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
])

/** Joins headers as `node:http` does. */
function toNodeHeaders(
  entries: readonly (readonly [string, string])[],
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (const [anyCase, value] of entries) {
    const name = anyCase.toLowerCase()
    const present = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (name === 'set-cookie') headers[name] = [...(present ?? []), value]
    else if (present === undefined) headers[name] = value
    else if (!ONCE.has(name)) {
      headers[name] = `${present as string}${name === 'cookie' ? '; ' : ', '}${value}`
    }
  }
  return headers
}
