/** Random applications: nested contexts, shared schemas, and schemas of all parts. */
import fc from 'fast-check'
import { schemaCase, sharedCase, tree } from '../../support/random-schemas.ts'
import { createRandom, type Random } from '../../support/random-values.ts'
import { profiles } from '../profiles.ts'
import { isOfFastify } from './options.ts'
import {
  externalsOf,
  type ContextPlan,
  type Json,
  type PartPlan,
  type Plan,
  type RoutePlan,
  type Trait,
} from './plan.ts'

/** Names in the paths of routes; schemas know them too. */
const PARAMS = ['a', 'b', 'c', 'name', 'x1'] as const

/** Header names for the names in random schemas that no header can have. */
const HEADER_NAMES: Readonly<Record<string, string>> = {
  c: 'accept',
  'a b': 'x-two-words',
  'a"b': 'content-type',
  "a'b": 'x_under',
  'a`${b}': 'cookie',
  'a\\b': 'set-cookie',
  'a/b~c': 'x.y',
}

const CAPITALS = { ...HEADER_NAMES, name: 'Name', 'a b': 'X-Two-Words', "a'b": 'X_Under' }

const TRAITS: readonly Trait[] = [
  'errorHandler',
  'errorFormatter',
  'notFoundHandler',
  'xmlParser',
  'anyParser',
]

const validatorPlaces = [...profiles.keys()].filter((place) => isOfFastify(place, 'validator'))
const serializerPlaces = [...profiles.keys()].filter((place) => isOfFastify(place, 'serializer'))

/** The same seed gives the same application. */
export function randomPlan(seed: number): Plan {
  const random = createRandom(seed)
  const validators = random.chance(0.4) ? 0 : random.pick(validatorPlaces)
  const writer = new PlanWriter(random, validators)
  return {
    validators,
    serializers: random.pick(serializerPlaces),
    options: optionsOf(random),
    root: writer.context('', [], false),
  }
}

function optionsOf(random: Random): Json {
  return {
    ...(random.chance(0.2) && { ignoreTrailingSlash: true }),
    ...(random.chance(0.15) && { ignoreDuplicateSlashes: true }),
    ...(random.chance(0.15) && { caseSensitive: false }),
    ...(random.chance(0.2) && { exposeHeadRoutes: false }),
    ...(random.chance(0.2) && { maxParamLength: random.pick([0, 3, 200]) }),
    ...(random.chance(0.2) && { bodyLimit: random.pick([10, 80, 2048]) }),
    ...(random.chance(0.15) && { onProtoPoisoning: random.pick(['remove', 'ignore']) }),
    ...(random.chance(0.15) && { onConstructorPoisoning: random.pick(['remove', 'ignore']) }),
    ...(random.chance(0.1) && { jsonShorthand: false }),
    ...(random.chance(0.1) && { allowUnsafeRegex: true }),
  }
}

class PlanWriter {
  readonly #random: Random
  readonly #features: (typeof profiles)[number]['features']
  #routes = 0

  constructor(random: Random, validators: number) {
    this.#random = random
    this.#features = profiles[validators]?.features ?? []
  }

  context(prefix: string, around: readonly ContextPlan[], isWrapped: boolean): ContextPlan {
    const random = this.#random
    const isRoot = around.length === 0
    const schemas: Json[] = isRoot ? [tree] : []
    const traits = isWrapped ? [] : this.#traitsWithin(around)
    const bare: ContextPlan = { prefix, isWrapped, schemas, traits, routes: [], children: [] }
    // Siblings have other schemas under one `$id`; a context may refer to those of the contexts around it.
    for (const id of isRoot ? ['shared'] : ['local', 'other']) {
      const known = Object.keys(externalsOf([...around, bare]))
      const isFree = !known.includes(id) && !isWrapped
      if (isFree && random.chance(0.6)) {
        schemas.push(...this.#sample(sharedCase(id, known, this.#features), 1))
      }
    }
    const contexts = [...around, bare]
    const children: ContextPlan[] = []
    const depth = around.length
    for (let i = 0; depth < 3 && i < 3 - depth; i++) {
      if (!random.chance(0.6)) continue
      const wraps = random.chance(0.2)
      const own = wraps ? '' : random.pick([`/p${depth}${i}`, `/p${depth}${i}/:pre`, `/P${i}`])
      children.push(this.context(own, contexts, wraps))
    }
    return {
      ...bare,
      routes: this.#routesFor(Object.keys(externalsOf(contexts)), isRoot ? 4 : 3),
      children,
    }
  }

  /** A parser that exists already is refused. */
  #traitsWithin(around: readonly ContextPlan[]): Trait[] {
    const isThere = (trait: Trait): boolean => around.some(({ traits }) => traits.includes(trait))
    return TRAITS.filter(
      (trait) => this.#random.chance(0.25) && !(trait.endsWith('Parser') && isThere(trait)),
    )
  }

  #routesFor(ids: readonly string[], most: number): RoutePlan[] {
    const random = this.#random
    const count = 1 + random.below(most)
    const schemas = this.#sample(schemaCase(this.#features, ids), count * 8)
    return Array.from({ length: count }, () => this.#route(() => schemas.pop() ?? {}))
  }

  #route(next: () => Json): RoutePlan {
    const random = this.#random
    const number = ++this.#routes
    const params = PARAMS.filter(() => random.chance(0.25))
    const path = params.map((name) => `/:${name}`).join('')
    const url = random.pick([`/r${number}`, `/R${number}`, `/r${number}/x`, `/r-${number}`]) + path
    const parts: PartPlan[] = []
    const methods = random.chance(0.7)
      ? [random.pick(['POST', 'PUT', 'PATCH'])]
      : random.pick([
          ['GET'],
          ['DELETE'],
          ['GET', 'POST'],
          ['OPTIONS'],
          ['HEAD', 'PUT'],
          ['DELETE', 'PATCH'],
        ])
    const takesBody = !methods.some((method) => method === 'GET' || method === 'HEAD')
    if (takesBody && random.chance(0.85)) {
      parts.push({ part: 'body', schema: next() })
    }
    if (random.chance(0.5)) parts.push({ part: 'querystring', schema: objectOf(next(), random) })
    if (params.length > 0 && random.chance(0.7)) {
      parts.push({ part: 'params', schema: objectOf(next(), random) })
    }
    if (random.chance(0.4)) {
      const names = random.chance(0.3) ? CAPITALS : HEADER_NAMES
      const schema = renamed(objectOf(next(), random), names) as Json
      parts.push({ part: 'headers', schema })
    }
    const closed = parts.map((part) =>
      random.chance(0.02) ? { ...part, schema: false as const } : part,
    )
    parts.splice(0, parts.length, ...closed)
    for (const status of ['200', '201', '2xx', '4XX', '400', '404', '5xx', 'default']) {
      if (!random.chance(0.2)) continue
      const contentType = random.chance(0.2)
        ? random.pick(['application/json', 'application/json; charset=utf-8', 'text/json'])
        : undefined
      parts.push({ part: 'response', status, schema: next(), ...(contentType && { contentType }) })
    }
    const ending = random.chance(0.1) ? '/*' : random.chance(0.1) ? '/' : ''
    return { methods, url: url + ending, parts, options: routeOptionsOf(random) }
  }

  #sample<T>(of: fc.Arbitrary<T>, numRuns: number): T[] {
    return fc.sample(of, { seed: this.#random.below(2 ** 31), numRuns }).reverse()
  }
}

function routeOptionsOf(random: Random): Json {
  return {
    ...(random.chance(0.15) && { attachValidation: true }),
    ...(random.chance(0.1) && { bodyLimit: random.pick([10, 60]) }),
    ...(random.chance(0.1) && { exposeHeadRoute: random.chance(0.5) }),
    ...(random.chance(0.1) && { prefixTrailingSlash: random.pick(['slash', 'no-slash', 'both']) }),
    ...(random.chance(0.08) && { constraints: { version: random.pick(['1.2.0', '2.0.1']) } }),
  }
}

/** Only objects can have named members, so other schemas become a member of one. */
function objectOf(schema: Json, random: Random): Json {
  if (schema['type'] === 'object' || random.chance(0.1)) return schema
  const { definitions, ...member } = schema
  return { type: 'object', properties: { [random.pick(PARAMS)]: member }, definitions }
}

/** Returns a copy in which all keys and texts that are one of the names are renamed. */
function renamed(value: unknown, names: Readonly<Record<string, string>>): unknown {
  const nameOf = (text: string): string => (Object.hasOwn(names, text) ? names[text]! : text)
  if (typeof value === 'string') return nameOf(value)
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [nameOf(key), renamed(member, names)]),
  )
}
