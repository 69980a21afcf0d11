/** The fields that are read of an event with an HTTP request, in any format. */
export interface LambdaEvent {
  readonly version?: string
  readonly httpMethod?: string
  readonly path?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly headers?: Single | null
  readonly multiValueHeaders?: Multiple | null
  readonly cookies?: readonly string[]
  readonly queryStringParameters?: Single | null
  readonly multiValueQueryStringParameters?: Multiple | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
  readonly requestContext?: {
    readonly stage?: string
    readonly domainName?: string
    readonly elb?: object
    readonly http?: { readonly method: string; readonly sourceIp?: string }
    readonly identity?: { readonly sourceIp?: string }
  }
}

type Single = Readonly<Record<string, string | undefined>>
type Multiple = Readonly<Record<string, readonly string[] | undefined>>

/** The request of an event. */
export interface EventRequest {
  readonly method: string
  readonly path: string
  /** Percent-encoded, without the question mark. */
  readonly query: string
  /** Names in any case. They may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly remoteAddress: string | undefined
  readonly isEncrypted: boolean
}

/**
 * The format of requests and responses.
 *
 * - `rest`: payload version 1.0, of REST and HTTP APIs
 * - `http`: payload version 2.0, of HTTP APIs and function URLs
 * - `balancer`, `balancer-multiple`: load balancers with single or multi-value headers
 */
export type EventFormat = 'rest' | 'http' | 'balancer' | 'balancer-multiple'

/** Returns `undefined` for an event without a request. */
export function formatOf(event: LambdaEvent | null | undefined): EventFormat | undefined {
  const { version, httpMethod, multiValueHeaders, requestContext } = event ?? {}
  if (requestContext?.elb) return multiValueHeaders ? 'balancer-multiple' : 'balancer'
  if (version === '2.0' && requestContext?.http) return 'http'
  return typeof httpMethod === 'string' ? 'rest' : undefined
}

/** Functions that read the request, by format. */
export const requestIn: Readonly<Record<EventFormat, (event: LambdaEvent) => EventRequest>> = {
  rest: (event) => ({
    method: event.httpMethod as string,
    path: pathOf(event, event.path),
    query: queryOf(event, encodeURIComponent),
    headers: headersOf(event),
    remoteAddress: event.requestContext?.identity?.sourceIp,
    isEncrypted: true,
  }),
  http: (event) => ({
    method: event.requestContext?.http?.method as string,
    path: pathOf(event, event.rawPath),
    query: event.rawQueryString ?? '',
    headers: event.cookies?.length
      ? [
          ...headersOf(event).filter(([name]) => name.toLowerCase() !== 'cookie'),
          ['cookie', event.cookies.join('; ')],
        ]
      : headersOf(event),
    remoteAddress: event.requestContext?.http?.sourceIp,
    isEncrypted: true,
  }),
  balancer: fromBalancer,
  'balancer-multiple': fromBalancer,
}

/** Load balancers put address and protocol in headers, and keep the query as the client encoded it. */
function fromBalancer(event: LambdaEvent): EventRequest {
  const headers = headersOf(event)
  const lastValue = (header: string): string | undefined =>
    headers.findLast(([name]) => name.toLowerCase() === header)?.[1]
  return {
    method: event.httpMethod as string,
    path: event.path || '/',
    query: queryOf(event, String),
    headers,
    // The load balancer appends the address that it sees. Clients may have sent the ones before.
    remoteAddress: lastValue('x-forwarded-for')?.split(',').at(-1)?.trim(),
    isEncrypted: lastValue('x-forwarded-proto') === 'https',
  }
}

/** Returns the encoded path of a gateway's event, without the stage that paths at the default domain of an HTTP API begin with. */
function pathOf({ version, requestContext = {} }: LambdaEvent, path = '/'): string {
  const { stage = '$default', domainName } = requestContext
  // REST APIs send the path without stage, as the client encoded it.
  if (version === undefined) return path
  const isDefaultDomain = domainName === undefined || domainName.includes('.execute-api.')
  const rest = isDefaultDomain ? withoutPrefix(path, `/${stage}`) : path
  return domainName?.includes('.lambda-url.') ? rest : encoded(rest)
}

/** Removes the first folders of a path, if it begins with them. */
export function withoutPrefix(path: string, prefix: string): string {
  if (prefix === '' || !path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path
}

/** Percent-encodes a path again, because HTTP APIs decode it. */
function encoded(path: string): string {
  // oxlint-disable-next-line no-control-regex
  return path.replace(/[\x00-\x20\x7f-\uffff?#]+|%(?![\da-f]{2})/gi, (text) =>
    Buffer.from(text).toString('hex').toUpperCase().replace(/../g, '%$&'),
  )
}

function queryOf(event: LambdaEvent, encode: (text: string) => string): string {
  return entriesOf(event.multiValueQueryStringParameters, event.queryStringParameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')
}

function headersOf(event: LambdaEvent): (readonly [string, string])[] {
  return entriesOf(event.multiValueHeaders, event.headers)
}

/** Prefers the object that has all values. */
function entriesOf(
  multiple: Multiple | null | undefined,
  single: Single | null | undefined,
): (readonly [string, string])[] {
  if (!multiple) {
    return Object.entries(single ?? {}).map(([name, value]) => [name, value ?? ''] as const)
  }
  return Object.entries(multiple).flatMap(([name, values]) =>
    (values ?? []).map((value) => [name, value] as const),
  )
}
