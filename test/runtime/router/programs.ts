/** Random programs for a router: what is registered, removed and looked up, in which order. */
import fc from 'fast-check'
import type {
  ConstraintStorage,
  ConstraintStrategy,
  Constraints,
  RouterOptions,
} from '../../../runtime/router/index.ts'

// Short and alike, so that prefixes are shared and split, and patterns collide.
const texts = 'a ab abc b ba B aB 1 12 x.y a-b é a%b a::b a;b a?b ?a=1 #'.split(' ')
const params = [
  ...':id :other a:id a:b ab:id a%:id : :__proto__ :constructor :a::b'.split(' '),
  ...':a-:b :a-:b.:c :file.png :file.png.png :file.:ext :file.PNG :g.png.png :g-.png'.split(' '),
  ...String.raw`:id(^\d+$) :id(\w{2,3}) :word(a|b) :deep((a)b)`.split(' '),
  ...String.raw`:h(^\d{2})h:m(^\d{2})m :a(\d+)::v% :x(1)y:z(2)`.split(' '),
]

const segment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.constantFrom(':id', ':other') },
  { weight: 3, arbitrary: fc.constantFrom(...params) },
)

const ending = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: fc.constantFrom('/', '/*', '*', '/:opt?', '/:opt?/') },
)

const routePath: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), ending)
      .map(([segments, end]) => '/' + segments.join('/') + end)
      // find-my-way generates an object literal from the names, and JavaScript refuses this one.
      .filter((path) => path.split('__proto__').length < 3),
  },
  { weight: 1, arbitrary: fc.constantFrom('*', '/', '/*', '//a//b', '/a//:id') },
)

const mixed = fc.uniqueArray(routePath, { minLength: 1, maxLength: 14 })
// Which of the parameters of one segment comes first?
const siblings = fc.uniqueArray(fc.constantFrom('/*', ...params.map((each) => '/' + each)), {
  minLength: 6,
})
// How are prefixes split?
const prefixes = fc.uniqueArray(fc.constantFrom('*', '/a:b', ...texts.map((each) => '/' + each)), {
  minLength: 4,
})

const routePaths: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 3, arbitrary: mixed },
  { weight: 1, arbitrary: fc.oneof(siblings, prefixes) },
)

/** A path that no route can be registered with. */
const faultyPath: fc.Arbitrary<string> = fc.constantFrom(
  ...' a *a /:opt? /a*b /:o?x /:o?/x'.split(' '),
  ...String.raw`/:y/:x((a+)+) /:y(b)/:x( /:x([) /:x(?<n>a) /:x(\) /:x(\$)`.split(' '),
)

const values = 'a ab abc b B 1 12 123 01h02m x.y a-b a-b.c f.png f.png.png f.PNG 1y2 1:v%25 İ'
const oddValues = 'é a:b a%25b %61 %2F %252f %3a%20%C3%A9 %40 __proto__ toolongtoolong 🙂 %25 %'
const badValues = 'a%b % %zz %E4 %2 %%25'

const value = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(...values.split(' ')) },
  { weight: 3, arbitrary: fc.constantFrom('', ...oddValues.split(' ')) },
  { weight: 1, arbitrary: fc.constantFrom(...badValues.split(' ')) },
)

const suffix = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...'?a=1 ?a=%2f&b ;s=1 #top / ? /?x=/ ?x=/y // ?a=%zz'.split(' ')),
  },
)

/** A URL of the same alphabet as the paths. */
const looseUrl: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .tuple(fc.array(value, { minLength: 1, maxLength: 4 }), suffix)
      .map(([segments, end]) => '/' + segments.join('/') + end),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ...'* a %2Fa %25ab ab?x http://h.example/a/12 https://h/ // /? ?/a'.split(' '),
    ),
  },
)

/** A URL that the path matches, more often than not. */
export function urlOf(path: string): fc.Arbitrary<string> {
  return fc.tuple(fc.array(value, { minLength: 8, maxLength: 8 }), suffix).map(([fill, end]) => {
    const filled = path
      .replaceAll('::', '\0')
      .replace(/:\w*(?:\(.*?\)+)?\??|\*/g, () => fill.pop() ?? '')
    return filled.replaceAll('\0', ':').replaceAll('a%', 'a%25') + end
  })
}

/** One call on a router. `name` tells routes apart: it is their store. */
export type Step =
  | { do: 'on'; methods: readonly string[]; path: string; constraints?: Constraints; name: string }
  | { do: 'off'; methods: readonly string[]; path: string; constraints?: Constraints }
  | { do: 'find'; method: string; url: string; constraints?: Constraints }
  | { do: 'lookup'; method: string; url: string; headers: Constraints }
  | { do: 'findRoute'; method: string; path: string; constraints?: Constraints }
  | { do: 'print'; method?: string; commonPrefix?: boolean; includeMeta?: boolean | string[] }
  | { do: 'addStrategy' }
  | { do: 'reset' }

export interface Program {
  options: Omit<RouterOptions, 'constraints'>
  steps: Step[]
}

const options = fc.record(
  {
    caseSensitive: fc.boolean(),
    ignoreTrailingSlash: fc.boolean(),
    ignoreDuplicateSlashes: fc.boolean(),
    allowUnsafeRegex: fc.boolean(),
    maxParamLength: fc.constantFrom(5, 100),
  },
  { requiredKeys: [] },
)

const methods = fc.constantFrom(['GET'], ['GET'], ['GET'], ['POST'], ['GET', 'POST'])
const method = fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PUT')

const versions = fc.constantFrom('1.2.0', '1.2.3', '1.2.1', '1.10.0', '2.0.1', '2.x')
/** find-my-way prints expressions as `{}`. */
const printed = (host: RegExp): RegExp => Object.assign(host, { toJSON: () => String(host) })
const hosts = fc.constantFrom('a.example', 'b.example', ...[/\.example$/, /^a/, /^a/i].map(printed))

/** Objects with none, one or, less often, several of these keys. */
function some(values: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Constraints> {
  const one = Object.entries(values).map(([key, value]) => value.map((each) => ({ [key]: each })))
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: fc.oneof(...one) },
    { weight: 2, arbitrary: fc.record(values, { requiredKeys: [], noNullPrototype: true }) },
  )
}

const wanted = some({ version: versions, host: hosts, secret: fc.constantFrom('alpha', 'beta') })
const impossible = fc.constantFrom<Constraints[]>(
  { version: 2 },
  { host: 1 },
  { unknown: 1 },
  { version: undefined },
)

const version = fc.constantFrom(
  ...'1.x 1.2.x 1.2.0 1.2.3 1.10.x 2.x 2.0.1 * x 3.x 2.x.x'.split(' '),
)
const host = fc.constantFrom('', ...'a.example b.example c.test axe.test'.split(' '))
const secret = fc.constantFrom('alpha', 'beta', 'gamma')

const derived = some({ version, host, secret, late: fc.constant('x') })
const headers = some({
  'accept-version': version,
  host,
  ':authority': fc.constant('b.example'),
  secret,
})

const print = fc.record(
  {
    do: fc.constant('print' as const),
    method: fc.constantFrom('GET', 'POST'),
    commonPrefix: fc.boolean(),
    includeMeta: fc.constantFrom<(boolean | string[])[]>(true, false, ['name'], ['other']),
  },
  { requiredKeys: ['do'] },
)

/** A fresh strategy that compares the header `secret`. */
export function secretStrategy(): ConstraintStrategy {
  return {
    name: 'secret',
    storage: createValueStorage,
    deriveConstraint: (req) => req.headers['secret'],
  }
}

/** A fresh asynchronous strategy for the same header, which routes must not ignore. */
export function lateStrategy(): ConstraintStrategy {
  return {
    name: 'late',
    mustMatchWhenDerived: true,
    storage: createValueStorage,
    deriveConstraint(req, _ctx, done) {
      const { secret } = req.headers
      done?.(secret === 'beta' ? new Error('No beta') : null, secret)
    },
  }
}

function createValueStorage(): ConstraintStorage {
  const stored = new Map<unknown, number>()
  return { get: (key) => stored.get(key), set: (key, routes) => stored.set(key, routes) }
}

/** Programs over a few paths, with constraints or without; some end with an impossible route. */
export function programs(withConstraints: boolean): fc.Arbitrary<Program> {
  return routePaths.chain((paths) => {
    const all = withConstraints ? paths.slice(0, 6) : paths
    const known = fc.constantFrom(...all)
    const ask = queries(known, withConstraints)
    const constraints = withConstraints ? wanted : fc.constant({})
    const added = withConstraints ? fc.array(known, { maxLength: 14 }) : fc.constant(all)
    const phases = added.chain((each) =>
      fc.tuple(
        ...each.map((path) => fc.tuple(on(fc.constant(path), constraints), fc.array(ask, few))),
      ),
    )
    const last = fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(on(faultyPath, constraints)) },
      { weight: 1, arbitrary: fc.tuple(on(known, impossible)) },
    )
    return fc
      .tuple(options, phases, fc.array(ask, { maxLength: 12 }), print, last)
      .map(([chosen, growth, end, final, fault]) => ({
        options: chosen,
        steps: [...growth.flatMap(([first, rest]) => [first, ...rest]), ...end, final, ...fault],
      }))
  })
}

const few = { maxLength: 3 }

function on(
  path: fc.Arbitrary<string>,
  constraints: fc.Arbitrary<Constraints>,
): fc.Arbitrary<Step> {
  return fc.record({ do: fc.constant('on'), methods, path, constraints, name: fc.uuid() })
}

/** Steps that read something or remove something. */
function queries(known: fc.Arbitrary<string>, withConstraints: boolean): fc.Arbitrary<Step> {
  const constraints = withConstraints ? wanted : fc.constant({})
  const values = withConstraints ? derived : fc.constantFrom(undefined, {})
  const url = fc.oneof(
    { weight: 12, arbitrary: known.chain(urlOf) },
    { weight: 4, arbitrary: looseUrl },
  )
  const find = fc.record({ do: fc.constant('find'), method, url, constraints: values })
  const lookup = fc.record({ do: fc.constant('lookup'), method, url, headers })
  // Left to known-differences.test.ts: regular expressions, and `/*` when `*` is registered.
  const path = known.map((each) => (/:.*[(.-]/.test(each) || each === '/*' ? '/:id' : each))
  const findRoute = fc.record({ do: fc.constant('findRoute'), method, path, constraints })
  const someMethods = fc.oneof(methods, fc.constant(['get']))
  const off = fc.record({ do: fc.constant('off'), methods: someMethods, path: known, constraints })
  const reset = fc.constant({ do: 'reset' })
  const addStrategy = fc.constant({ do: 'addStrategy' })
  return fc.oneof(
    { weight: 24, arbitrary: find },
    { weight: 8, arbitrary: lookup },
    { weight: 4, arbitrary: findRoute },
    { weight: 2, arbitrary: print },
    { weight: 1, arbitrary: off },
    { weight: 1, arbitrary: withConstraints ? addStrategy : reset },
  ) as fc.Arbitrary<Step>
}
