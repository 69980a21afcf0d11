/** Random programs for a router: what is registered, removed and looked up, in which order. */
import fc from 'fast-check'
import type {
  ConstraintStorage,
  ConstraintStrategy,
  Constraints,
  RouterOptions,
} from '../../../runtime/router/index.ts'
import { faultyPath, looseUrl, routePaths, urlOf } from './paths.ts'

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

/** Steps that ask something or remove something. */
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
