/** An event that carries an HTTP request, in any of its formats: what of it is read here. */
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

/** A request as an event tells of it. */
export interface EventRequest {
  readonly method: string
  readonly path: string
  /** Encoded, without the question mark. */
  readonly query: string
  /** Names in any case; one may stand several times. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly remoteAddress: string | undefined
  readonly isEncrypted: boolean
}

/**
 * How a platform writes requests and wants answers.
 *
 * - `rest`: payload 1.0, of REST and HTTP APIs
 * - `http`: payload 2.0, of HTTP APIs and function URLs
 * - `balancer`, `balancer-multiple`: load balancers, with single and with multi-value headers
 */
export type EventFormat = 'rest' | 'http' | 'balancer' | 'balancer-multiple'

/** `undefined` for an event that carries no request. */
export function formatOf({
  version,
  httpMethod,
  multiValueHeaders,
  requestContext,
}: LambdaEvent): EventFormat | undefined {
  if (requestContext?.elb) return multiValueHeaders ? 'balancer-multiple' : 'balancer'
  if (version === '2.0' && requestContext?.http) return 'http'
  return typeof httpMethod === 'string' ? 'rest' : undefined
}

/** By format. */
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

/** It says in headers what others say in the event, and leaves the query as the client has encoded it. */
function fromBalancer(event: LambdaEvent): EventRequest {
  const headers = headersOf(event)
  const last = (wanted: string): string | undefined =>
    headers.findLast(([name]) => name.toLowerCase() === wanted)?.[1]
  return {
    method: event.httpMethod as string,
    path: event.path || '/',
    query: queryOf(event, String),
    headers,
    // The balancer appends the address that it sees; what stands before it anybody may have written.
    remoteAddress: last('x-forwarded-for')?.split(',').at(-1)?.trim(),
    isEncrypted: last('x-forwarded-proto') === 'https',
  }
}

/** Of what gateways send: without the stage, which is in the paths of addresses that are an HTTP API's own; encoded. */
function pathOf({ version, requestContext = {} }: LambdaEvent, path = '/'): string {
  const { stage = '$default', domainName } = requestContext
  // REST APIs tell the path as the routes have it, and as it came.
  if (version === undefined) return path
  const isOwnAddress = domainName === undefined || domainName.includes('.execute-api.')
  const rest = isOwnAddress ? withoutPrefix(path, `/${stage}`) : path
  return domainName?.includes('.lambda-url.') ? rest : escaped(rest)
}

/** A path without a folder that it begins with. */
export function withoutPrefix(path: string, prefix: string): string {
  if (prefix === '' || !path.startsWith(prefix)) return path
  const rest = path.slice(prefix.length)
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path
}

/** HTTP APIs decode paths: what cannot stand in one is encoded again. */
function escaped(path: string): string {
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

/** Of both, the one that has all values. */
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
