import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { createInitialConfig } from '../../../runtime/context/initial-config.ts'
import { config } from '../../../runtime/lines/fastify-4/config.ts'
import { runs } from '../../support/runs.ts'

interface Oracle {
  (options: object): unknown
  readonly defaultInitOptions: object
}

const oracle = createRequire(import.meta.url)('fastify/lib/initialConfigValidation') as Oracle

const outcome = (create: (options: object) => unknown, options: object): unknown => {
  try {
    return create(options)
  } catch (error) {
    return { ...(error as Error) }
  }
}

const others = ['forceCloseConnections', 'http2', 'https', 'versioning', 'constraints', 'ajv']
const names = [...Object.keys(config.defaults), ...others]
const fn = (): void => {}
const strategy = fc.record(
  {
    name: fc.constantFrom('secret', 1, null, {}),
    storage: fc.constant(fn),
    validate: fc.constant(fn),
    deriveConstraint: fc.constant(fn),
    mustMatchWhenDerived: fc.constant(true),
    deriveVersion: fc.constant(fn),
    nested: fc.constant({ deep: { er: [1] } }),
  },
  { requiredKeys: ['name', 'storage'] },
)
const value = fc.oneof(
  fc.constantFrom(undefined, null, true, false, 0, 1, -1, 1.5, NaN, Infinity, '', 'idle', 'x-idle'),
  fc.constantFrom('true', 'false', '12', '1.5', ' ', 'Infinity', '0x10', 'text', fn),
  fc.integer(),
  fc.constantFrom({}, [], [1], { allowHTTP1: true, key: 'secret' }, { allowHTTP1: 'false' }),
  fc.constantFrom({ allowHTTP1: 'x' }, { allowHTTP1: undefined }, { allowHTTP1: null }),
  strategy,
  fc.dictionary(fc.constantFrom('secret', 'a/b~c', 'host'), fc.oneof(strategy, fc.constant(1))),
)

const given = fc.oneof(
  { weight: 50, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.constant('x')) },
)

test('any value of any option gives the oracle’s configuration, or its error', () => {
  const property = fc.property(given, (options) => {
    const actual = outcome((given) => createInitialConfig(given, config), options)
    assert.deepEqual(actual, outcome(oracle, options))
  })
  fc.assert(property, runs(10_000))
})

test('the defaults are the oracle’s', () => {
  assert.deepEqual(config.defaults, oracle.defaultInitOptions)
})

const plainStrategy = { name: 'x', storage: fn, validate: fn, deriveConstraint: fn }

test('all of the configuration is frozen, and none of it is the given object', () => {
  const given = { ...plainStrategy, more: { deep: {} } }
  const options = { constraints: { x: given }, https: { allowHTTP1: true } }
  const made = createInitialConfig(options, config) as unknown as typeof options
  const parts = [made, made.https, made.constraints, made.constraints.x]
  for (const part of [...parts, made.constraints.x.more, made.constraints.x.more.deep]) {
    assert.ok(Object.isFrozen(part))
  }
  assert.ok(!Object.isFrozen(given.more.deep))
  assert.ok(!Object.isFrozen(options))
})

test('a strategy that contains itself, and one of a class, are copied', () => {
  const self: Record<string, unknown> = { ...plainStrategy, date: new Date() }
  self['self'] = self
  const initial: object = createInitialConfig({ constraints: { x: self } }, config)
  const { x: copied } = (initial as { constraints: { x: typeof self } }).constraints
  assert.equal(copied['self'], copied)
  assert.notEqual(copied, self)
})
