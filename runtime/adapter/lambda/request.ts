import { HostedConnection } from '../hosted/connection.ts'
import { HostedRequest, type IncomingBody, type IncomingHeaders } from '../hosted/request.ts'
import { targetOfParts } from '../hosted/target.ts'
import type { EventFormat, EventRequest, LambdaEvent } from './event.ts'
import { requestIn, withoutPrefix } from './event.ts'

/** The arguments of a Lambda handler. */
export interface LambdaCall {
  readonly event: LambdaEvent
  readonly context: object
}

/** The `request.raw` of requests in Lambda events. */
export class LambdaRequest extends HostedRequest {
  readonly awsLambda: LambdaCall
  readonly format: EventFormat
  private readonly request: EventRequest
  private readonly bytes: Buffer | undefined

  /** @param basePath prefix of the path that the URLs of routes lack, such as the base path of a custom domain */
  constructor(call: LambdaCall, format: EventFormat, basePath: string) {
    const request = requestIn[format](call.event)
    super(request.method, targetOfParts(withoutPrefix(request.path, basePath), request.query))
    this.awsLambda = call
    this.format = format
    this.request = request
    this.bytes = bodyOf(call.event)
  }

  override get rawHeaders(): readonly string[] {
    return this.request.headers.flat()
  }

  /** Does nothing, because Lambda doesn't report that a client has disconnected. */
  override watch(): void {}

  protected override createHeaders(): IncomingHeaders {
    const headers = toNodeHeaders(this.request.headers)
    // Some gateways send no length, others the length before they have changed the body.
    if (this.bytes !== undefined && headers['transfer-encoding'] === undefined) {
      headers['content-length'] = String(this.bytes.length)
    }
    return headers
  }

  protected override readHeader(name: string): string | undefined {
    return this.headers[name] as string | undefined
  }

  protected override createSocket(end: (error?: Error) => void): HostedConnection {
    const { remoteAddress, isEncrypted } = this.request
    return new HostedConnection(remoteAddress, isEncrypted, end)
  }

  protected override createBody(): IncomingBody | null {
    const { bytes } = this
    if (bytes === undefined) return null
    return {
      pull(deliver) {
        deliver(bytes)
        deliver(null)
      },
      cancel: () => undefined,
    }
  }

  protected override readBody(asString: boolean): string | Buffer {
    const { bytes = Buffer.alloc(0) } = this
    return asString ? bytes.toString() : bytes
  }
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Buffer | undefined {
  // Load balancers send `''` if there is none.
  if (!body) return undefined
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')
}

/** Headers of which Node keeps the first value only. */
const KEEPS_FIRST =
  /^(?:age|authorization|content-length|content-type|etag|expires|from|host|if-modified-since|if-unmodified-since|last-modified|location|max-forwards|proxy-authorization|referer|retry-after|server|user-agent)$/

/** Joins headers as `node:http` does. */
function toNodeHeaders(entries: readonly (readonly [string, string])[]): IncomingHeaders {
  const headers: IncomingHeaders = {}
  for (const [anyCase, value] of entries) {
    const name = anyCase.toLowerCase()
    const present = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (name === 'set-cookie') headers[name] = [...(present ?? []), value]
    else if (present === undefined) headers[name] = value
    else if (!KEEPS_FIRST.test(name)) {
      headers[name] = `${present as string}${name === 'cookie' ? '; ' : ', '}${value}`
    }
  }
  return headers
}
