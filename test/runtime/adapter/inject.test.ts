/** Ways to call `inject`, compared with Fastify. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { fastify as fastify5 } from 'fastify-5'
import framework5 from 'framework/5'
import { assertSame, type Note } from '../../support/differential.ts'

/** Notes the arguments of the callback of `inject`. */
const call = (app: FastifyInstance, note: Note): Promise<void> =>
  new Promise((resolve) => {
    const returned: unknown = app.inject('/hello', (error, response) => {
      const { statusCode, headers, payload } = response ?? {}
      note(error, response === null, statusCode, { ...headers, date: undefined }, payload)
      resolve()
    })
    note(returned)
  })

const ways: Readonly<Record<string, (app: FastifyInstance, note: Note) => unknown>> = {
  'calls back': call,
  'calls back when ready': async (app, note) => (await app.ready(), call(app, note)),
  'calls back when the boot fails': (app, note) => {
    app.register(async () => Promise.reject(new Error('broken plugin')))
    return call(app, note)
  },
  'rejects after close': async (app) => (
    await app.ready(),
    await app.close(),
    app.inject('/hello')
  ),
  'calls back after close': async (app, note) => (
    await app.ready(),
    await app.close(),
    call(app, note)
  ),
}

for (const [what, run] of Object.entries(ways)) {
  test(`inject ${what} as on Fastify`, () =>
    assertSame({
      build(app, note) {
        app.get('/hello', async (request) => ({ hello: request.query }))
        return run(app, note)
      },
    }))
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

test('inject leaves out bodies that no server sends, and returns others as streams', async () => {
  const run = async (factory: typeof framework5): Promise<unknown> => {
    const app = factory()
    app.all('/', async (_request, reply) => reply.code(304).send('not modified'))
    const answers = []
    app.route({
      method: ['GET', 'HEAD'],
      url: '/raw',
      handler(_request, { raw }) {
        raw.statusCode = 304
        raw.write('not modified', () => raw.end(`${raw.headersSent}`))
      },
    })
    for (const method of ['HEAD', 'GET'] as const) {
      for (const url of ['/', '/missing', '/raw']) answers.push(await app.inject({ method, url }))
    }
    const streamed = await app.inject({ url: '/missing', payloadAsStream: true })
    const chunks = await streamed.stream().setEncoding('utf8').toArray()
    return [answers.map(({ statusCode, body }) => [statusCode, body]), chunks]
  }
  assert.deepEqual(await run(framework5), await run(fastify5 as never))
})
