/** Every method of an instance with any arguments, compared with the oracle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import framework from 'framework'
import 'framework/development'
import { catchEscaped } from '../../support/lifecycle-run.ts'
import { outcomeOf } from '../../support/turns.ts'
import { runs } from '../../support/runs.ts'

type Factory = (options: object) => FastifyInstance
type Methods = Record<string, (...args: unknown[]) => unknown>

const names = [
  ...'addConstraintStrategy addContentTypeParser addHook addSchema after all'.split(' '),
  ...'decorate decorateReply decorateRequest delete get getDefaultJsonParser'.split(' '),
  ...'getSchema getSchemas hasConstraintStrategy hasContentTypeParser hasDecorator'.split(' '),
  ...'hasPlugin hasReplyDecorator hasRequestDecorator hasRoute onClose post'.split(' '),
  ...'printPlugins printRoutes ready register removeAllContentTypeParsers'.split(' '),
  ...'removeContentTypeParser route setChildLoggerFactory setErrorHandler'.split(' '),
  ...'setNotFoundHandler setReplySerializer setSchemaController'.split(' '),
  ...'setSchemaErrorFormatter setSerializerCompiler setValidatorCompiler'.split(' '),
  ...'withTypeProvider'.split(' '),
]

const route = (more: object): object => ({ url: '/r', method: 'GET', handler() {}, ...more })

/** Created for each side: an application changes its arguments. */
const values: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  '""': () => '',
  "'/'": () => '/',
  "'/a/:b'": () => '/a/:b',
  "'*'": () => '*',
  "'name'": () => 'name',
  "'onRequest'": () => 'onRequest',
  "'onSend'": () => 'onSend',
  "'onReady'": () => 'onReady',
  "'application/json'": () => 'application/json',
  '/text/': () => /text/,
  '0': () => 0,
  NaN: () => NaN,
  true: () => true,
  'a symbol': () => Symbol.for('odd'),
  '[]': () => [],
  "['other']": () => ['other'],
  '{}': () => ({}),
  '{ $id }': () => ({ $id: 'id', type: 'object' }),
  '{ parseAs }': () => ({ parseAs: 'string' }),
  '{ parseAs: odd }': () => ({ parseAs: 'odd' }),
  '{ bodyLimit: odd }': () => ({ bodyLimit: '1' }),
  '{ url }': () => ({ url: '/a', method: 'GET' }),
  '{ a route }': () => route({}),
  '{ path, methods }': () => ({ path: '/r', method: ['GET', 'put'], handler() {} }),
  '{ an odd method }': () => route({ method: 'BREW' }),
  '{ odd hooks }': () => route({ onRequest: 'x' }),
  '{ an odd handler }': () => route({ handler: 'x' }),
  '{ an odd schema }': () => route({ schema: 7 }),
  '{ a body for GET }': () => route({ schema: { body: {} } }),
  '{ an odd error handler }': () => route({ errorHandler: 1 }),
  '{ odd constraints }': () => route({ constraints: { odd: 1 } }),
  '{ a version }': () => route({ constraints: { version: 1 } }),
  '{ getter }': () => ({ getter: () => 1 }),
  '{ preHandler }': () => ({
    preHandler: (_request: unknown, _reply: unknown, done: () => void) => done(),
  }),
  '{ name, storage }': () => ({ name: 'odd', storage: () => ({}), deriveConstraint: () => 1 }),
  '{ prefix }': () => ({ prefix: '/p' }),
  'a function': () => () => {},
  'a function of one': () => (_one: unknown) => {},
  'a function of two': () => (_one: unknown, _two: unknown) => {},
  'a function of three': () => (_one: unknown, _two: unknown, done: unknown) =>
    typeof done === 'function' && done(),
  'an async function': () => async () => {},
  'an async function of one': () => async (_one: unknown) => {},
  'an async function of three': () => async (_1: unknown, _2: unknown, _3: unknown) => {},
  'an async function of four':
    () => async (_1: unknown, _2: unknown, _3: unknown, _4: unknown) => {},
  'a promise': () => Promise.resolve(() => {}),
}

interface Call {
  readonly name: string
  readonly args: readonly string[]
}

const calls = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    args: fc.array(fc.constantFrom(...Object.keys(values)), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
)

test('calls with any arguments have the same effect, or fail with the same error', async (t) => {
  catchEscaped(t)
  const property = fc.asyncProperty(calls, calls, calls, async (before, inside, afterwards) => {
    const observe = (factory: unknown): Promise<string[]> =>
      run(factory as Factory, before, inside, afterwards)
    const [actual, expected] = [await observe(framework), await observe(fastify)]
    assert.deepEqual(withoutAccidents(actual, expected), withoutAccidents(expected, expected))
  })
  await fc.assert(property, runs(400))
})

async function run(
  factory: Factory,
  before: readonly Call[],
  inside: readonly Call[],
  afterwards: readonly Call[],
): Promise<string[]> {
  const seen: string[] = []
  // An application that never boots must not end later.
  const app = factory({ pluginTimeout: 0 })
  const callAll = async (instance: FastifyInstance, list: readonly Call[]): Promise<void> => {
    for (const { name, args } of list) {
      const title = `${name}(${args.join(', ')})`
      try {
        const given = args.map((arg) => values[arg]?.())
        const result = (instance as unknown as Methods)[name]?.(...given)
        seen.push(`${title}: ${result === instance ? 'itself' : kindOf(result)}`)
      } catch (error) {
        seen.push(`${title}: ${refusalOf(error)}`)
      }
    }
  }
  await callAll(app, before)
  app.register(async (child) => callAll(child, inside))
  const boot = await outcomeOf(Promise.resolve(app.ready()))
  seen.push(boot.kind === 'error' ? refusalOf(boot.error) : boot.kind)
  await callAll(app, afterwards)
  await outcomeOf(Promise.resolve(app.close()))
  return seen
}

/** In the tree of plugins, neighbouring routes and hooks share a step of the boot here. */
function withoutSteps(tree: string): string {
  return tree
    .split('\n')
    .filter((line) => !line.includes('bound _after'))
    .map((line) => line.replaceAll(/[│├└─ ]|\d+ ms/g, ''))
    .join('\n')
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return withoutSteps(value)
  return Object.prototype.toString.call(value)
}

const accident = 'an error of the language'

/** Returns the part until Fastify fails at a value that it does not check, or hangs: after that, ours may differ. */
function withoutAccidents(observation: readonly string[], oracle: readonly string[]): string[] {
  const end = oracle.findIndex((text) => text.endsWith(accident) || text === 'never')
  return observation.slice(0, end === -1 ? oracle.length : end)
}

/** Errors without a code are those of JavaScript, whose text depends on the code that throws. */
function refusalOf(error: unknown): string {
  const { code, message, statusCode } = error as Error & { code?: string; statusCode?: number }
  const text = String(message).replaceAll(/_id_symbol\)\]: \d+/g, '')
  return code === undefined ? accident : `${code} ${statusCode} ${text}`
}
