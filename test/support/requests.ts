/** Generates many requests, valid and invalid, from one valid request per route. Always the same ones. */
import {
  oddBodies,
  oddContentTypes,
  oddHeaderValues,
  oddParams,
  oddQueryValues,
  oddSearches,
  oddValuesFor,
} from './odd-values.ts'
import type { AppRequests, ParityRequest, RouteSample } from './request.ts'

/** All requests of an application that are not raw bytes; titles are unique. */
export function requestsOf({
  samples,
  requests,
  breadth = 'everything',
}: Pick<AppRequests, 'samples' | 'requests' | 'breadth'>): ParityRequest[] {
  const changesOf = breadth === 'everything' ? allChangesOf : partChangesOf
  const all = [...samples.flatMap((sample) => [...variationsOf(sample, changesOf)]), ...requests]
  const titles = new Set<string>()
  for (const { title } of all) {
    if (titles.has(title)) throw new Error(`Two requests are titled ${JSON.stringify(title)}`)
    titles.add(title)
  }
  return all
}

function* variationsOf(
  sample: RouteSample,
  changesOf: (sample: RouteSample) => Iterable<NamedChange>,
): Iterable<ParityRequest> {
  const { method, path } = sample
  const name = `${method} ${path}`
  yield { title: `${name}: valid`, ...render(sample) }
  for (const [what, change] of changesOf(sample)) {
    yield { title: `${name}: ${what}`, ...render({ ...sample, ...change }), ...change.wire }
  }
}

/** Changes of a sample: of its parts, or of the bytes on the wire. */
interface Change extends Partial<
  Pick<RouteSample, 'method' | 'path' | 'params' | 'query' | 'headers' | 'body'>
> {
  readonly wire?: Partial<ParityRequest>
}

type NamedChange = readonly [what: string, change: Change]

function* allChangesOf(sample: RouteSample): Iterable<NamedChange> {
  yield* methodChanges(sample)
  yield* searchChanges(sample)
  yield* partChangesOf(sample)
  if (sample.body !== undefined) {
    yield* contentTypeChanges(sample)
    yield* rawBodyChanges(sample)
  }
}

/** Other values in the parts that the sample has. */
function* partChangesOf(sample: RouteSample): Iterable<NamedChange> {
  yield* paramChanges(sample)
  yield* queryChanges(sample)
  yield* headerChanges(sample)
  if (sample.body !== undefined) yield* bodyChanges(sample)
}

function render({
  method,
  path,
  params = {},
  query,
  headers = {},
  body,
}: RouteSample): Omit<ParityRequest, 'title'> {
  const filled = path.replace(/\{(\w+|\*)\}/g, (_, name: string) => params[name] ?? '')
  const search = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value}`)
  const lines = Object.entries(headers)
  if (body === undefined) return { method, target: toTarget(filled, search), headers: lines }
  const types = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
    ? lines
    : [['content-type', 'application/json'] as const, ...lines]
  return { method, target: toTarget(filled, search), headers: types, body: JSON.stringify(body) }
}

function toTarget(path: string, search: readonly string[]): string {
  return search.length === 0 ? path : `${path}?${search.join('&')}`
}

function* methodChanges({ method, path }: RouteSample): Iterable<NamedChange> {
  if (method === 'GET') yield ['HEAD', { method: 'HEAD' }]
  for (const other of ['OPTIONS', 'DELETE', 'PROPFIND'])
    if (other !== method) yield [`as ${other}`, { method: other }]
  yield ['with a slash at the end', { path: `${path}/` }]
  yield ['in upper case', { path: path.replace(/^\/\w+/, (first) => first.toUpperCase()) }]
}

function* paramChanges({ params = {}, boundaries = {} }: RouteSample): Iterable<NamedChange> {
  for (const name of Object.keys(params)) {
    for (const value of valuesFor(`params.${name}`, oddParams, boundaries)) {
      yield [`params.${name} = ${show(value)}`, { params: { ...params, [name]: String(value) } }]
    }
  }
}

function* searchChanges(sample: RouteSample): Iterable<NamedChange> {
  for (const search of oddSearches) yield [`query and ${search}`, withMore(sample, search)]
}

function* queryChanges({ boundaries = {}, ...sample }: RouteSample): Iterable<NamedChange> {
  const { query = {} } = sample
  const more = (search: string): Change => withMore(sample, search)
  for (const [name, value] of Object.entries(query)) {
    const { [name]: _, ...others } = query
    yield [`without query.${name}`, { query: others }]
    yield [`query.${name} twice`, more(`${name}=${value}`)]
    yield [`query.${name} twice, once empty`, more(`${name}=`)]
    yield [`query.${name} three times`, more(`${name}=1&${name}=b`)]
    yield [`query.${name} without a value`, more(name)]
    yield [`query.${name}[]`, { query: { ...others, [`${name}[]`]: value } }]
    for (const odd of valuesFor(`query.${name}`, oddQueryValues, boundaries)) {
      yield [`query.${name} = ${show(odd)}`, { query: { ...query, [name]: String(odd) } }]
    }
  }
}

function withMore({ path, params, query = {} }: RouteSample, search: string): Change {
  const { target } = render({ method: 'GET', path, ...(params && { params }), query })
  return { wire: { target: `${target}${target.includes('?') ? '&' : '?'}${search}` } }
}

function* headerChanges({
  headers = {},
  boundaries = {},
  ...sample
}: RouteSample): Iterable<NamedChange> {
  const { headers: lines = [] } = render({ ...sample, headers })
  for (const [name, value] of Object.entries(headers)) {
    const { [name]: _, ...others } = headers
    yield [`without headers.${name}`, { headers: others }]
    yield [`headers.${name} in upper case`, { headers: { ...others, [name.toUpperCase()]: value } }]
    yield [`headers.${name} twice`, { wire: { headers: [...lines, [name, value]] } }]
    yield [`headers.${name} twice, once different`, { wire: { headers: [...lines, [name, '7']] } }]
    for (const odd of valuesFor(`headers.${name}`, oddHeaderValues, boundaries)) {
      yield [`headers.${name} = ${show(odd)}`, { headers: { ...headers, [name]: String(odd) } }]
    }
  }
}

function* bodyChanges({ body, boundaries = {} }: RouteSample): Iterable<NamedChange> {
  for (const place of placesIn(body)) {
    const at = ['body', ...place].join('.')
    if (place.length > 0) yield [`without ${at}`, { body: replaced(body, place, undefined) }]
    const value = place.reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown>)[key],
      body,
    )
    for (const odd of valuesFor(at, oddValuesFor(value), boundaries)) {
      yield [`${at} = ${show(odd)}`, { body: replaced(body, place, odd) }]
    }
    if (isObject(value))
      yield [`${at} and surplus`, { body: replaced(body, place, { surplus: 'x', ...value }) }]
  }
}

/** The paths of all values in `body` down to the third level, of arrays the first item only; the body itself first. */
function* placesIn(body: unknown, place: readonly string[] = []): Iterable<readonly string[]> {
  yield place
  if (place.length === 3) return
  for (const key of keysOf(body))
    yield* placesIn((body as Record<string, unknown>)[key], [...place, key])
}

function keysOf(value: unknown): readonly string[] {
  if (isObject(value)) return Object.keys(value)
  return Array.isArray(value) && value.length > 0 ? ['0'] : []
}

function* contentTypeChanges({ headers = {} }: RouteSample): Iterable<NamedChange> {
  for (const type of oddContentTypes)
    yield [`content type ${show(type)}`, { headers: { ...headers, 'content-type': type } }]
}

function* rawBodyChanges({ headers = {}, body }: RouteSample): Iterable<NamedChange> {
  const text = JSON.stringify(body)
  for (const odd of oddBodies) yield [`body is ${show(odd)}`, { wire: { body: odd } }]
  const beginning = (start: string): Change => ({ wire: { body: text.replace(/^\{/, start) } })
  yield ['body and __proto__', beginning('{"__proto__":{"polluted":true},')]
  yield ['body and constructor', beginning('{"constructor":{"prototype":{"polluted":true}},')]
  yield ['body with every key twice', beginning(`${text.slice(0, -1)},`)]
  yield ['body in chunks', { wire: { framing: 'chunked' } }]
  yield ['empty body in chunks', { wire: { framing: 'chunked', body: '' } }]
  yield ['no body at all', { wire: { framing: 'none', body: '' } }]
  const untyped = Object.entries(headers)
  yield ['body without a content type', { wire: { headers: untyped } }]
  yield ['neither body nor content type', { wire: { headers: untyped, framing: 'none', body: '' } }]
}

/** The odd values and those that the sample adds, each once. */
function valuesFor(
  place: string,
  odd: readonly unknown[],
  boundaries: Readonly<Record<string, readonly unknown[]>>,
): unknown[] {
  const byText = new Map(
    [...odd, ...(boundaries[place] ?? [])].map((value) => [show(value), value]),
  )
  return [...byText.values()]
}

/** A copy of `body` with another value at `place`; `undefined` removes it. */
function replaced(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const copy = structuredClone(body) as Record<string, unknown>
  const inner = replaced(copy[key], rest, value)
  if (inner !== undefined) copy[key] = inner
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key]
  return copy
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text
}
