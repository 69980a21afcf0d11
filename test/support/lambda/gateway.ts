/** The gateway of a Lambda function: turns requests into events, and results of functions into answers. */
import { isUtf8 } from 'node:buffer'
import type { LambdaAnswer, LambdaHead } from '../../../runtime/adapter/lambda/response.ts'

export interface GatewayRequest {
  readonly method: string
  /** As sent on the wire. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer | undefined
}

export interface GatewayAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** Kinds of gateways, by the format of their events. */
export const gateways = [
  'rest',
  'http',
  'http-1.0',
  'url',
  'balancer',
  'balancer-multiple',
] as const
export type Gateway = (typeof gateways)[number]

export const CLIENT = '192.0.2.7'

const API = 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com'

export function toEvent(gateway: Gateway, request: GatewayRequest): object {
  const { method, target, headers } = request
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  const body = bodyOf(request)
  switch (gateway) {
    case 'rest':
    case 'http-1.0': {
      const pairs = pairsOf(query, (text) => decode(text, text.replaceAll('+', ' ')))
      return {
        ...(gateway === 'http-1.0' && { version: '1.0' }),
        resource: '/{proxy+}',
        path: gateway === 'rest' ? path : `/prod${decode(path)}`,
        httpMethod: method,
        headers: singly(headers),
        multiValueHeaders: multiply(headers),
        queryStringParameters: query === '' ? null : singly(pairs),
        multiValueQueryStringParameters: query === '' ? null : multiply(pairs),
        pathParameters: { proxy: path.slice(1) },
        stageVariables: null,
        requestContext: {
          accountId: '123456789012',
          apiId: 'a1b2c3d4e5',
          domainName: API,
          httpMethod: method,
          identity: { sourceIp: CLIENT, userAgent: 'test' },
          path: `/prod${path}`,
          protocol: 'HTTP/1.1',
          requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
          resourcePath: '/{proxy+}',
          stage: 'prod',
        },
        ...body,
      }
    }
    case 'http':
    case 'url': {
      const cookies = valuesOf(headers, 'cookie').flatMap((line) => line.split(/; ?/))
      const rest = headers.filter(([name]) => name.toLowerCase() !== 'cookie')
      const rawPath = gateway === 'url' ? path : `/prod${decode(path)}`
      return {
        version: '2.0',
        routeKey: '$default',
        rawPath,
        rawQueryString: query,
        ...(cookies.length > 0 && { cookies }),
        headers: Object.fromEntries(
          Object.entries(multiply(rest.map(([name, value]) => [name.toLowerCase(), value]))).map(
            ([name, values]) => [name, values.join(',')],
          ),
        ),
        requestContext: {
          accountId: '123456789012',
          apiId: 'a1b2c3d4e5',
          domainName: gateway === 'url' ? 'a1b2.lambda-url.eu-central-1.on.aws' : API,
          http: {
            method,
            path: rawPath,
            protocol: 'HTTP/1.1',
            sourceIp: CLIENT,
            userAgent: 'test',
          },
          requestId: 'id=',
          routeKey: '$default',
          stage: gateway === 'url' ? '$default' : 'prod',
        },
        ...(body.body !== null && body),
      }
    }
    case 'balancer':
    case 'balancer-multiple': {
      const all = [
        ...headers,
        ['x-forwarded-for', CLIENT] as const,
        ['x-forwarded-proto', 'https'] as const,
      ].map(([name, value]) => [name.toLowerCase(), value] as const)
      const pairs = pairsOf(query, String)
      return {
        requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:target' } },
        httpMethod: method,
        path,
        ...(gateway === 'balancer'
          ? { queryStringParameters: singly(pairs), headers: singly(all) }
          : { multiValueQueryStringParameters: multiply(pairs), multiValueHeaders: multiply(all) }),
        body: body.body ?? '',
        isBase64Encoded: body.isBase64Encoded,
      }
    }
  }
}

/** Converts a function's result to the answer that the client gets. */
export function toGatewayAnswer(answer: LambdaAnswer): GatewayAnswer {
  const { body, isBase64Encoded } = answer
  return { ...toHead(answer), body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }
}

export function toHead(head: LambdaHead): Omit<GatewayAnswer, 'body'> {
  const { statusCode, headers = {}, multiValueHeaders = {}, cookies = [] } = head
  return {
    status: statusCode,
    headers: [
      ...Object.entries(headers),
      ...Object.entries(multiValueHeaders).flatMap(([name, values]) =>
        values.map((value) => [name, value] as const),
      ),
      ...cookies.map((cookie) => ['set-cookie', cookie] as const),
    ],
  }
}

function bodyOf({ headers, body }: GatewayRequest) {
  if (body === undefined || body.length === 0) return { body: null, isBase64Encoded: false }
  const [type = ''] = valuesOf(headers, 'content-type')
  const isText =
    isUtf8(body) &&
    valuesOf(headers, 'content-encoding').length === 0 &&
    /^(?:text\/|application\/(?:json|javascript|xml))/.test(type)
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText }
}

type Entries = readonly (readonly [string, string])[]

function valuesOf(headers: Entries, wanted: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
}

function pairsOf(query: string, read: (text: string) => string): [string, string][] {
  return query
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf('=')
      return at === -1 ? [read(pair), ''] : [read(pair.slice(0, at)), read(pair.slice(at + 1))]
    })
}

function decode(text: string, encoded = text): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return text
  }
}

/** Keeps the last value of each name. */
function singly(entries: Entries): Record<string, string> {
  return Object.fromEntries(entries)
}

function multiply(entries: Entries): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const [name, value] of entries) (values[name] ??= []).push(value)
  return values
}
