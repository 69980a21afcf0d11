import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { fastify } from 'fastify'
import ours from '../../../runtime/plugin.ts'
import * as namespace from '../../../runtime/plugin.ts'
import { fastify4 } from '../../../runtime/lines/fastify-4/index.ts'
import { nameOfContext, nameOfPlugin, registerPlugin } from '../../../runtime/boot/plugin-meta.ts'
import { runs } from '../../support/runs.ts'

type Wrap = (plugin: unknown, options?: unknown) => unknown

interface PluginUtils {
  registeredPlugins: symbol
  registerPlugin(this: object, plugin: object): boolean
  getPluginName(plugin: object): string | null
  getFuncPreview(plugin: object): string
}

const require = createRequire(import.meta.url)
const theirs = require('fastify-plugin') as Wrap
const utils = require('fastify/lib/pluginUtils') as PluginUtils

/** The result of wrapping, or its error. */
function outcome(wrap: Wrap, create: () => unknown, options: unknown): unknown {
  try {
    const given = create() as { default?: unknown }
    const plugin = wrap(given, options) as Function
    const marks = Object.fromEntries(
      Reflect.ownKeys(plugin).map((key) => {
        const value = (plugin as unknown as Record<PropertyKey, unknown>)[key]
        return [String(key), value === plugin ? 'itself' : withoutCount(value)]
      }),
    )
    return {
      marks,
      isGiven: plugin === given || plugin === given.default,
      options: withoutCount(options),
    }
  } catch (error) {
    const { name, message } = error as Error
    return { name, message }
  }
}

/** The number at the end of an automatic name counts calls, of either. */
function withoutCount(value: unknown): unknown {
  return JSON.parse((JSON.stringify(value) ?? 'null').replaceAll(/-auto-\d+/g, '-auto-N'))
}

const plugins: (() => unknown)[] = [
  () => function named() {},
  () => () => {},
  () => async () => {},
  () => ({ default: function inside() {} }),
  () => Object.assign(() => {}, { default: () => {} }),
  () => Object.assign(() => {}, { myPlugin: 1 }),
  () => ({ default: null }),
  () => null,
  () => undefined,
  () => 'text',
  () => ({}),
]

const options = fc.oneof(
  fc.constantFrom(undefined, null, [], '4.x', '', 1, true),
  fc.record(
    {
      name: fc.constantFrom('my-plugin', '@scope/my-plugin', 'x', '', undefined),
      fastify: fc.constantFrom('4.x', 12, undefined),
      encapsulate: fc.constantFrom(true, false, 'yes'),
      dependencies: fc.constant(['a']),
    },
    { requiredKeys: [] },
  ),
)

test('wrapping a plugin sets the same properties as fastify-plugin', () => {
  const property = fc.property(fc.constantFrom(...plugins), options, (create, given) => {
    const copy = structuredClone(given)
    assert.deepEqual(outcome(ours as Wrap, create, given), outcome(theirs, create, copy))
  })
  fc.assert(property, runs(1000))
})

test('the wrapper is exported by every name and form of import', () => {
  assert.equal(namespace.fastifyPlugin, ours)
  assert.equal(ours.default, ours)
  assert.equal(ours.fastifyPlugin, ours)
  assert.equal(require('framework/plugin').fastifyPlugin, require('framework/plugin'))
})

const names = fc.constantFrom('present', 'absent', 'other')
const lists = fc.oneof(
  { weight: 4, arbitrary: fc.array(names, { maxLength: 2 }) },
  fc.constant('present'),
)
const metas = fc.record(
  {
    name: fc.constantFrom('me', '', undefined),
    fastify: fc.constantFrom('4.x', '5.x', '^4.21.0', 'nonsense', '', '>=3'),
    dependencies: fc.oneof(lists, fc.constantFrom(undefined, null)),
    decorators: fc.record({ fastify: lists, request: lists, reply: lists }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)
const versions = fc.constantFrom('4.21.0', '5.0.0', '3.29.5')

/** Registers a plugin on a real instance that has one decorator of each kind and one plugin. */
function registration(meta: object | undefined, version: string, isOurs: boolean): unknown {
  const instance = fastify()
  instance.decorate('present', 1)
  instance.decorateRequest('present', 1)
  instance.decorateReply('present', 1)
  Object.defineProperty(instance, 'version', { value: version })
  const registeredPlugins = ['present']
  Object.assign(instance, { [utils.registeredPlugins]: registeredPlugins })
  const plugin = Object.assign(() => {}, {
    [Symbol.for('skip-override')]: 'yes',
    [Symbol.for('plugin-meta')]: meta,
  })
  try {
    const skips = isOurs
      ? registerPlugin(instance, { registeredPlugins }, plugin, fastify4.plugins)
      : utils.registerPlugin.call(instance, plugin)
    return { skips, registeredPlugins }
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string }
    return { name, message, code, registeredPlugins }
  }
}

test('a registered plugin is checked as by the oracle', () => {
  const property = fc.property(fc.option(metas, { nil: undefined }), versions, (meta, version) => {
    assert.deepEqual(registration(meta, version, true), registration(meta, version, false))
  })
  fc.assert(property, runs(500))
})

test('contexts have the same names as on the oracle', () => {
  const file = require('light-my-request') as object
  const wrapped = Object.assign(() => {}, { [Symbol.for('fastify.display-name')]: 'shown' })
  const anonymous = [
    () => {},
    (x: number) => {
      return x
    },
  ]
  const candidates = [file, wrapped, function named() {}, ...anonymous]
  for (const plugin of candidates) {
    const expected = utils.getPluginName(plugin) ?? utils.getFuncPreview(plugin)
    assert.equal(nameOfContext(plugin), expected)
  }
  assert.equal(nameOfPlugin(wrapped), 'shown')
  assert.equal(nameOfPlugin(file), '')
})
