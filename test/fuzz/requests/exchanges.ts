/** Random requests to a random application: valid, nearly valid, and odd ones. */
import type { HttpPart } from '../../../runtime/artifact/index.ts'
import { type Exchange, isInjectable } from '../../parity/transcript.ts'
import {
  oddBodies,
  oddContentTypes,
  oddHeaderValues,
  oddParams,
  oddQueryValues,
  oddSearches,
} from '../../support/odd-values.ts'
import { createRandom, valueFor, type Random } from '../../support/random-values.ts'
import type { ParityRequest } from '../../support/request.ts'
import type { Given } from './given.ts'
import { routesOf, type PlacedRoute, type Plan } from './plan.ts'

/** A request, and the action of the application for it. */
export interface PlannedRequest {
  readonly exchange: Exchange
  readonly given: Given
  /** The route that it was created for; another one may answer. */
  readonly placed: PlacedRoute | undefined
}

type Headers = [name: string, value: string][]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']

const ODD_TARGETS: readonly string[] = [
  '/',
  '//',
  '/nothing/here',
  '/%zz',
  '/%c0',
  '/p00/%ff',
  '*',
  '/?',
  '/;a=1',
  '/..%2f',
  '/__proto__',
]

const ODD_HEADERS: Headers = [
  ['accept-version', '1.x'],
  ['accept-version', '2.0.1'],
  ['cookie', 'a=1; b=2'],
  ['X-TWO-WORDS', '1'],
  ['x_under', 'true'],
  ['accept', '*/*'],
  ['a', '1, 2'],
  ['name', 'é'],
  ['content-encoding', 'gzip'],
  ['if-none-match', '*'],
  ['x-forwarded-for', '10.0.0.1'],
  ['date', 'now'],
]

/** Names and values of headers. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** The same seed gives the same requests. */
export function randomRequests(plan: Plan, count: number, seed: number): PlannedRequest[] {
  const random = createRandom(seed)
  const routes = [...routesOf(plan.root)]
  return Array.from({ length: count }, (_, index) => {
    const placed = routes.length > 0 && random.chance(0.96) ? random.pick(routes) : undefined
    const request = placed === undefined ? oddRequest(random) : requestTo(placed, random)
    const canInject = isInjectable(request) && request.target.startsWith('/')
    const via = canInject && random.chance(0.2) ? 'inject' : 'socket'
    const title = `${index + 1}: ${request.method} ${request.target} (${via})`
    return {
      exchange: { title, via, request: { ...request, title } },
      given: givenFor(placed, random),
      placed,
    }
  })
}

type Unnamed = Omit<ParityRequest, 'title'>

function oddRequest(random: Random): Unnamed {
  const isLong = random.chance(0.1)
  return {
    method: random.pick(METHODS),
    target: isLong ? `/${'x'.repeat(300)}` : random.pick(ODD_TARGETS),
    headers: random.chance(0.5) ? [random.pick(ODD_HEADERS)] : [],
  }
}

function requestTo(placed: PlacedRoute, random: Random): Unnamed {
  const { route } = placed
  const method = random.chance(0.93) ? random.pick(route.methods) : random.pick(METHODS)
  const headers = headersFor(placed, random)
  const target = targetFor(placed, random)
  const takesBody = method.startsWith('P')
  if (takesBody ? random.chance(0.05) : random.chance(0.93)) return { method, target, headers }
  return { method, target, ...bodyFor(placed, headers, random) }
}

function schemaOf({ route }: PlacedRoute, wanted: HttpPart): unknown {
  return route.parts.find(({ part }) => part === wanted)?.schema
}

/** A value for a part, which is valid or nearly so. */
function valueOf(placed: PlacedRoute, part: HttpPart, random: Random): unknown {
  const schema = schemaOf(placed, part)
  return valueFor(schema, random, (schema ?? {}) as Record<string, unknown>, placed.externals)
}

/** The members of a value that is sent as texts. */
function textsOf(value: unknown, random: Random): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const members = Array.isArray(member) && random.chance(0.8) ? (member as unknown[]) : [member]
    return members.map((one): [string, string] => [
      name,
      typeof one === 'object' ? (JSON.stringify(one) ?? '') : String(one),
    ])
  })
}

function targetFor(placed: PlacedRoute, random: Random): string {
  const params = new Map(textsOf(valueOf(placed, 'params', random), random))
  let path = placed.url.replace(/:(\w+)/g, (_, name: string) => {
    if (random.chance(0.1)) return random.pick(oddParams)
    const text = params.get(name)
    return text === undefined || text === '' ? random.pick(['1', 'a', 'true']) : escaped(text)
  })
  path = path.replace(/\*$/, () => random.pick(['', 'x', 'x/y', '%20', 'a%2Fb']))
  if (random.chance(0.04)) {
    path = random.pick([
      path.toUpperCase(),
      `${path}/`,
      `/${path}`,
      path.replace('r', '%72'),
      `${path};a=1`,
      `${path}#x`,
      `http://other.test${path}`,
      path.slice(0, -1),
    ])
  }
  const search = textsOf(valueOf(placed, 'querystring', random), random)
    .filter(() => random.chance(0.95))
    .map(([name, text]) => `${escaped(name)}=${escaped(text)}`)
  if (random.chance(0.1))
    search.push(`${random.pick(['a', 'name', 'c'])}=${random.pick(oddQueryValues)}`)
  if (random.chance(0.06)) search.push(random.pick(oddSearches))
  return search.length === 0 ? path : `${path}?${search.join('&')}`
}

/** A lone surrogate cannot be sent. */
function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

function headersFor(placed: PlacedRoute, random: Random): Headers {
  const headers = textsOf(valueOf(placed, 'headers', random), random)
  if (random.chance(0.1)) headers.push(random.pick(ODD_HEADERS))
  if (random.chance(0.05))
    headers.push([random.pick(['a', 'b', 'x1']), random.pick(oddHeaderValues)])
  const { version } = (placed.route.options['constraints'] ?? {}) as { readonly version?: string }
  if (version !== undefined && random.chance(0.8)) headers.push(['accept-version', version])
  return headers
    .filter(([name, value]) => TOKEN.test(name) && VALUE.test(value))
    .map(([name, value]) => [random.chance(0.1) ? name.toUpperCase() : name, value])
}

function bodyFor(
  placed: PlacedRoute,
  headers: Headers,
  random: Random,
): Pick<ParityRequest, 'headers' | 'body' | 'framing'> {
  const value = valueOf(placed, 'body', random)
  const isOdd = random.chance(0.06)
  const body = isOdd ? random.pick(oddBodies) : (JSON.stringify(value) ?? '')
  const type = random.chance(0.06) ? random.pick(oddContentTypes) : 'application/json'
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  return {
    headers: isTyped || random.chance(0.03) ? headers : [['content-type', type], ...headers],
    body: type === 'text/plain' && typeof value === 'string' ? value : body,
    ...(random.chance(0.05) && { framing: 'chunked' as const }),
  }
}

const ENDS: readonly Given['end'][] = [
  'return',
  'send',
  'send',
  'return',
  'text',
  'throw',
  'stream',
]

function givenFor(placed: PlacedRoute | undefined, random: Random): Given {
  const responses = placed?.route.parts.filter(({ part }) => part === 'response') ?? []
  const chosen = responses.length > 0 && random.chance(0.9) ? random.pick(responses) : undefined
  const { schema, status = 'default', contentType } = chosen ?? {}
  const value = valueFor(schema, random, schema || {}, placed?.externals ?? {})
  return {
    status: random.chance(0.95) ? statusFor(status, random) : random.pick([204, 304, 500, 299]),
    end: random.chance(0.85) ? random.pick(['return', 'send']) : random.pick(ENDS),
    value,
    seed: random.below(2 ** 31),
    ...(contentType !== undefined && random.chance(0.9) && { contentType }),
  }
}

function statusFor(key: string, random: Random): number {
  if (key === 'default') return random.pick([200, 202, 404, 503])
  const digit = Number(key[0])
  return /^\d{3}$/.test(key) ? Number(key) : digit * 100 + random.pick([0, 2, 18])
}
