import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fastify as oracle, type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import framework from '../../../runtime/index.ts'

type Factory = () => FastifyInstance

const factories: Factory[] = [oracle as unknown as Factory, framework as unknown as Factory]

interface Scenario {
  prepare?(app: FastifyInstance): void
  run(app: FastifyInstance): unknown
}

const seen = ({ statusCode, headers, payload }: LightMyRequestResponse): unknown => {
  return { statusCode, headers: { ...headers, date: undefined }, payload }
}

/** The arguments of the callback of `inject`. */
const called = (app: FastifyInstance, options: string): Promise<unknown> =>
  new Promise((resolve) => {
    const returned: unknown = app.inject(options, (error, response) => {
      resolve(error ? [String(error), response === null] : seen(response!))
    })
    assert.equal(returned, undefined)
  })

const failing = (app: FastifyInstance): void => {
  app.register(async () => Promise.reject(new Error('broken plugin')))
}

const scenarios: Record<string, Scenario> = {
  'calls back': { run: (app) => called(app, '/hello') },
  'calls back when ready': { run: async (app) => (await app.ready(), called(app, '/hello')) },
  'calls back when the boot fails': { prepare: failing, run: (app) => called(app, '/hello') },
  'rejects after close': {
    run: async (app) => (await app.ready(), await app.close(), app.inject('/hello')),
  },
  'calls back after close': {
    run: async (app) => (await app.ready(), await app.close(), called(app, '/hello')),
  },
}

async function outcomeOf(create: Factory, { prepare, run }: Scenario): Promise<unknown> {
  const app = create()
  app.get('/hello', async (request) => ({ hello: request.query }))
  prepare?.(app)
  try {
    return await run(app)
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string }
    return { name, message, code }
  } finally {
    await app.close()
  }
}

for (const [what, scenario] of Object.entries(scenarios)) {
  test(`inject ${what} as on the oracle`, async () => {
    const [expected, actual] = await Promise.all(
      factories.map((create) => outcomeOf(create, scenario)),
    )
    assert.deepEqual(actual, expected)
  })
}

test('light-my-request is loaded by the first injected request', () => {
  const script = `
    import { createRequire } from 'node:module'
    const { default: framework } = await import(process.argv[1])
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('light-my-request'))
    const app = framework()
    await app.ready()
    const before = isLoaded()
    await app.inject('/')
    console.log(before, isLoaded())
  `
  const module = new URL('../../../runtime/index.js', import.meta.url).href
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, module])
  assert.equal(String(output).trim(), 'false true')
})
