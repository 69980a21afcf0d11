import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kind, Type } from '@sinclair/typebox'
import fc from 'fast-check'
import type { Catalogue } from '../../../runtime/artifact/functions/index.ts'
import type {
  Digest,
  RouteFactories,
  RouteFunction,
  RouteTarget,
} from '../../../runtime/artifact/index.ts'
import { isExact } from '../../../runtime/artifact/json.ts'
import type { RouteSchema } from '../../../runtime/artifact/normalize.ts'
import { fastify4Reading } from '../../../runtime/artifact/reading/index.ts'
import { createRouteFinder, routeDigest } from '../../../runtime/artifact/route-digest.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'
import { runs } from '../../support/runs.ts'

class Shape {
  readonly type = 'string'
  get maxLength(): number {
    return 3
  }
}

function cyclic(): object {
  const schema: Record<string, unknown> = { type: 'object' }
  schema.items = schema
  return schema
}

/** Makers of values in whose JSON something is lost, added or impossible, next to values with the same JSON. */
const oddities: readonly (() => unknown)[] = [
  () => ({ type: 'string' }),
  () => ({ type: 'string', maxLength: undefined }),
  () => ({ type: 'string', maxLength: 3 }),
  () => ({ maxLength: 3, type: 'string' }),
  () => new Shape(),
  () => Object.assign(Object.create({ maxLength: 3 }) as object, { type: 'string' }),
  () => Object.assign(Object.create(null) as object, { type: 'string' }),
  () => ({
    type: 'string',
    get maxLength() {
      return 3
    },
  }),
  () => ({ type: 'object', toJSON: () => ({ type: 'string' }) }),
  () => ({ type: 'object', toJSON: () => undefined }),
  () => ({ type: 'object', toJSON: () => null }),
  () => ({ type: 'object', toJSON: () => 0 }),
  () => Type.String(),
  () => ({ type: 'string', [Kind]: 'String' }),
  () => ({ type: 'string', default: new Date(0) }),
  () => ({ type: 'string', default: '1970-01-01T00:00:00.000Z' }),
  () => ({ type: 'string', pattern: /a/ }),
  () => ({ type: 'string', pattern: {} }),
  () => ({ type: 'string', default: () => 1 }),
  () => ({ type: 'string', default: Symbol('s') }),
  () => ({ type: 'number', default: -0 }),
  () => ({ type: 'number', default: 0 }),
  () => ({ type: 'number', default: Number.NaN }),
  () => ({ type: 'number', default: null }),
  () => ({ type: 'number', default: 1n }),
  () => ({ enum: [1, , 2] }), // oxlint-disable-line no-sparse-arrays
  () => ({ enum: [1, null, 2] }),
  () => ({ enum: ['\ud800'] }),
  () => ({ enum: [String.raw`\ud800`] }),
  () => ({ enum: ['\ufffd'] }),
  () => ({ enum: ['\u0141'] }),
  () => ({ enum: ['A'] }),
  () => ({ enum: ['\u{1f600}'] }),
  () => ({ enum: ['],[0,",'] }),
  () => ({ $ref: 'shared#' }),
  () => ({ properties: { a: { $ref: 'shared#' } } }),
  () => [{ type: 'string' }],
  () => new Map([['type', 'string']]),
  () => cyclic(),
  () => () => 1,
  () => Symbol('s'),
  () => true,
  () => 5,
  () => 'text',
  () => 0,
  () => null,
]

/** Usually one that can be built. */
const odd = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...oddities.slice(0, 4)) },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
)
const part = fc.option(odd, { nil: undefined })
const response = fc.option(
  fc.dictionary(
    fc.constantFrom('200', '2xx', '2XX', 'default'),
    fc.oneof(
      odd,
      fc
        .dictionary(fc.constantFrom('text/plain', 'a/b'), odd, { maxKeys: 2 })
        .map((content) => () => ({
          content: Object.fromEntries(
            Object.entries(content).map(([type, make]) => [type, { schema: make() }]),
          ),
        })),
    ),
    { maxKeys: 3 },
  ),
  { nil: undefined },
)

const externals = [
  {},
  { shared: { $id: 'shared', type: 'string' } },
  { shared: { $id: 'shared', type: 'integer' }, other: { $id: 'other' } },
]
const options = [
  { customOptions: {}, plugins: [] },
  { customOptions: { keywords: [{ keyword: 'odd', validate: () => true }] }, plugins: [] },
  { customOptions: {}, plugins: [function odd() {}] },
]

/** A route, created again by each call. */
const recipes = fc.record({
  makers: fc.record({ headers: part, body: part, querystring: part, params: part }),
  response,
  externals: fc.nat(externals.length - 1),
  options: fc.nat(options.length - 1),
  isCustom: fc.boolean(),
  isValidated: fc.boolean(),
})

type Recipe = typeof recipes extends fc.Arbitrary<infer T> ? T : never

interface Route {
  readonly schema: RouteSchema
  readonly factories: RouteFactories
  readonly isCustom: boolean
}

function make(recipe: Recipe): Route {
  const schema: RouteSchema = {}
  for (const [name, maker] of Object.entries(recipe.makers)) if (maker) schema[name] = maker()
  if (recipe.response) {
    schema.response = Object.fromEntries(
      Object.entries(recipe.response).map(([status, maker]) => [status, maker()]),
    )
  }
  const shared = externals[recipe.externals] as Record<string, unknown>
  const ajv = options[recipe.options] as (typeof options)[number]
  return {
    schema,
    factories: {
      validators: recipe.isValidated ? createUnitFactory('validator', shared, ajv) : undefined,
      serializers: schema.response ? createUnitFactory('serializer', shared, {}) : undefined,
    },
    isCustom: recipe.isCustom,
  }
}

interface Part {
  readonly digest: Digest | undefined
  readonly target: RouteTarget
}

/** The digests of all schemas, by their part; `undefined` if a schema can't be read. */
function partsOf({ schema, factories, isCustom }: Route): readonly Part[] | undefined {
  const { validators, serializers } = factories
  const fail = (): never => {
    throw new RangeError()
  }
  try {
    const parts = validators ? fastify4Reading.validators(schema, isCustom) : []
    const answers = serializers ? fastify4Reading.serializers(schema, fail) : []
    return [
      ...parts.map(({ schema, httpPart }) => ({
        digest: validators?.digest(schema as object, httpPart),
        target: { httpPart },
      })),
      ...answers.map(({ schema, httpStatus, contentType }) => ({
        digest: serializers?.digest(schema as object),
        target: contentType === undefined ? { httpStatus } : { httpStatus, contentType },
      })),
    ]
  } catch {
    return undefined
  }
}

/** An artifact of these routes, in memory. */
function build(routes: readonly Route[]): Catalogue {
  const digests: Digest[] = []
  let lines = ''
  for (const route of routes) {
    const parts = partsOf(route)
    const digest =
      parts && routeDigest(route.schema, route.factories, route.isCustom, fastify4Reading)
    if (digest === undefined) continue
    const positions = parts?.map(({ digest }) => digests.push(digest as Digest) - 1)
    lines += `;${digest}:${positions?.join(' ')}`
  }
  return {
    digests: digests.join(' '),
    counts: [digests.length],
    routes: `${lines};`,
  }
}

/** Returns the `routes` that the quick check leaves to the check of each schema. */
function leftBy(catalogue: Catalogue, routes: readonly Route[]): ReadonlySet<Route> {
  const find = createRouteFinder(
    () => catalogue.routes,
    (position) => catalogue.digests.split(' ')[position] as Digest,
  )
  const left = new Set<Route>()
  const found = new Map<Route, readonly RouteFunction[]>()
  for (const route of routes) {
    const functions = find(route.schema, { ...route, reading: fastify4Reading })?.()
    // As the first request of a route does.
    if (functions?.every(({ schema }) => isExact(schema))) found.set(route, functions)
    else left.add(route)
  }
  for (const route of routes) {
    assert.notEqual(found.has(route), left.has(route))
    const functions = found.get(route)
    if (functions === undefined) continue
    const actual = functions.map(({ digest, target }) => ({ digest, target }))
    assert.deepEqual(actual, partsOf(route))
  }
  return left
}

test('a route is found only with the shared schemas and options that it was built with', () => {
  const body = (): unknown => ({ $ref: 'shared#' })
  const makers = { headers: undefined, querystring: undefined, params: undefined, body }
  const settings = externals.flatMap((_, shared) =>
    options.map((_, i) => {
      const response = { 200: body }
      return { makers, response, externals: shared, options: i, isCustom: false, isValidated: true }
    }),
  )
  for (const one of settings) {
    const artifact = build([make(one)])
    for (const other of settings)
      assert.equal(leftBy(artifact, [make(other)]).size, one === other ? 0 : 1)
  }
})

test('of any two schemas, the first is taken for the second only if both have the same digest', () => {
  const plain = { externals: 1, isCustom: false, isValidated: true, response: undefined }
  const none = { headers: undefined, querystring: undefined, params: undefined, body: undefined }
  const places: readonly ((maker: () => unknown) => Recipe)[] = [
    ...options.map((_, i) => (body: () => unknown) => ({
      ...plain,
      options: i,
      makers: { ...none, body },
    })),
    (headers) => ({ ...plain, options: 0, makers: { ...none, headers } }),
    (entry) => ({ ...plain, options: 0, makers: none, response: { 200: entry } }),
  ]
  let met = 0
  for (const place of places) {
    for (const one of oddities) {
      const artifact = build([make(place(one))])
      for (const other of oddities) {
        if (leftBy(artifact, [make(place(other))]).size === 0) met++
      }
    }
  }
  assert.ok(met > places.length * oddities.length, `${met} schemas were found`)
})

test('routes that can be built are found in any order, again and among others, with the functions for the digest of each schema', () => {
  let found = 0
  const property = fc.property(
    fc.array(recipes, { maxLength: 40 }),
    fc.array(recipes, { maxLength: 40 }),
    fc.array(fc.nat(79), { maxLength: 80 }),
    (known, unknown, order) => {
      const artifact = build(known.map(make))
      const all = [...known, ...unknown]
      const declared = order.flatMap((i) => all[i % all.length] ?? [])
      const routes = declared.map(make)
      const left = leftBy(artifact, routes)
      found += routes.length - left.size
      for (const [i, route] of routes.entries()) {
        if (!known.includes(declared[i] as Recipe) || partsOf(route) === undefined) continue
        const { schema, factories, isCustom } = route
        if (routeDigest(schema, factories, isCustom, fastify4Reading)) assert.ok(!left.has(route))
      }
    },
  )
  fc.assert(property, runs(150))
  // Otherwise nothing was compared.
  assert.ok(found > 200, `${found} routes were found`)
})
