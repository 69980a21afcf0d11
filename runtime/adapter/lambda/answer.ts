import { FRAMING, type HeaderRecord } from '../hosted/headers.ts'
import type { Chunk } from '../hosted/response.ts'
import type { EventFormat } from './event.ts'

/** Status and headers in the format of an event. */
export interface LambdaHead {
  readonly statusCode: number
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly cookies?: readonly string[]
  /** Status with reason phrase, which load balancers require. */
  readonly statusDescription?: string
}

/** The return value of a Lambda handler. */
export interface LambdaAnswer extends LambdaHead {
  readonly body: string
  readonly isBase64Encoded: boolean
}

type Entries = readonly (readonly [name: string, values: readonly string[]])[]

const headIn: Readonly<Record<EventFormat, (entries: Entries) => Omit<LambdaHead, 'statusCode'>>> =
  {
    rest: (entries) => ({
      headers: joined(entries.filter(([, values]) => values.length === 1)),
      multiValueHeaders: Object.fromEntries(entries.filter(([, values]) => values.length !== 1)),
    }),
    http: (entries) => ({
      headers: joined(entries.filter(([name]) => name !== 'set-cookie')),
      cookies: entries.find(([name]) => name === 'set-cookie')?.[1] ?? [],
    }),
    balancer: (entries) => ({ headers: { ...joined(entries), ...cookiesByCase(entries) } }),
    'balancer-multiple': (entries) => ({ multiValueHeaders: Object.fromEntries(entries) }),
  }

export function toLambdaHead(
  { statusCode, statusMessage }: { statusCode: number; statusMessage: string | undefined },
  headers: HeaderRecord,
  format: EventFormat,
): LambdaHead {
  const entries = Object.entries(headers)
    .filter(([name]) => !FRAMING.has(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value : [String(value)]] as const)
  return {
    statusCode,
    ...(format.startsWith('balancer') && { statusDescription: `${statusCode} ${statusMessage}` }),
    ...headIn[format](entries),
  }
}

function joined(entries: Entries): Record<string, string> {
  return Object.fromEntries(entries.map(([name, values]) => [name, values.join(', ')]))
}

/** Gives each cookie its own spelling of `set-cookie`: cookies can't be joined, and load balancers distinguish upper and lower case. */
function cookiesByCase(entries: Entries): Record<string, string> {
  const cookies = entries.find(([name]) => name === 'set-cookie')?.[1] ?? []
  return Object.fromEntries(cookies.map((cookie, index) => [inCase('set-cookie', index), cookie]))
}

/** Writes letters in upper case where the binary index has a one. */
function inCase(name: string, index: number): string {
  let rest = index
  return name.replace(/[a-z]/g, (letter) => {
    const isUpper = rest % 2 === 1
    rest = Math.floor(rest / 2)
    return isUpper ? letter.toUpperCase() : letter
  })
}

/** Encodes the body: as text if it is valid UTF-8, which needs no configuration of the gateway, otherwise in base64. */
export function toLambdaBody(body: Chunk | null): Pick<LambdaAnswer, 'body' | 'isBase64Encoded'> {
  if (body === null) return { body: '', isBase64Encoded: false }
  // A string may contain lone surrogates, which UTF-8 can't encode.
  const bytes = Buffer.from(body as Uint8Array)
  const isText = process.getBuiltinModule('node:buffer').isUtf8(bytes)
  return { body: bytes.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText }
}
