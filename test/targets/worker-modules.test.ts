/** Workers of many routes load functions and schemas when they are needed: by wrangler too in `npm run test:all`. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deploy } from '../../compiler/deploy/index.ts'
import { serveConfig } from '../support/workerd.ts'
import { runWrangler, startWrangler } from '../support/wrangler.ts'
import { runsAll } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'

const COUNT = 60

/** Each route has other limits; one streams, one shows its own schema, which nothing has read before. */
const source = `import fastify from 'fastify'
import { Readable } from 'node:stream'
export default function app() {
  const app = fastify({ logger: { level: 'error' } })
${Array.from({ length: COUNT }, (_, i) => route(i)).join('')}
  app.get('/shown/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer', maximum: 77 } } } } },
    async (request) => request.routeOptions.schema)
  app.post('/streamed', { schema: { body: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 9 } } } },
    async ({ body }) => Readable.from(body))
  return app
}
`

function route(i: number): string {
  return `  app.post('/r${i}/:id', { schema: {
    params: { type: 'object', properties: { id: { type: 'integer', minimum: ${i} } } },
    body: { type: 'object', required: ['name'], properties: {
      name: { type: 'string', minLength: 2, maxLength: ${i + 10} },
      city: { type: 'string', pattern: '^[A-Z][a-z]{${i}}' },
      tags: { type: 'array', maxItems: ${i}, items: { type: 'string' } } } },
    response: { 200: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' }, n${i}: { type: 'number', default: ${i} } } } },
  } }, async ({ params, body }) => ({ ...body, ...params }))
`
}

describe('a Worker of many routes', () => {
  const shop = createWorkshop({ after }, 'cli/empty')
  const folder = join(shop.folder, 'out')

  before(async () => {
    shop.writeApp(source)
    const entry = join(shop.folder, 'app.js')
    const { diagnostics } = await deploy({ entry, target: 'workerd', out: folder, filesFrom: 0 })
    assert.deepEqual(diagnostics, [])
  })

  /** The modules of functions, in the order of the routes. */
  const modules = (): readonly string[] =>
    shop.read('out/index.js').match(/functions-[\w-]+\.js/g) ?? []

  type Ask = (path: string, init?: RequestInit) => Promise<Response>

  const askOn =
    (port: number): Ask =>
    (path, init) =>
      fetch(`http://127.0.0.1:${port}${path}`, init)

  async function serve<T>(
    use: (ask: Ask, output: () => string) => Promise<T>,
    config = 'config.capnp',
  ): Promise<T> {
    const { port, output, stop } = await serveConfig(folder, config)
    try {
      return await use(askOn(port), output)
    } finally {
      await stop()
    }
  }

  const post = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  /** Sends requests to all routes at once, before any of them has loaded anything. */
  async function assertAllServe(ask: Ask): Promise<void> {
    const answers = Array.from({ length: COUNT }, async (_, i) => {
      const right = await ask(`/r${i}/${i}`, post({ name: 'Ada', more: true }))
      const wrong = await ask(`/r${i}/${i - 1}`, post({ name: 'Ada' }))
      return [right.status, await right.text(), wrong.status, await wrong.text()]
    })
    const expected = Array.from({ length: COUNT }, (_, i) => [
      200,
      `{"id":${i},"name":"Ada","n${i}":${i}}`,
      400,
      `{"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"params/id must be >= ${i}"}`,
    ])
    assert.deepEqual(await Promise.all(answers), expected)
  }

  test('has its functions and schemas in modules, and none in the main one', () => {
    assert.ok(modules().length > 2, `${modules().length} modules`)
    assert.ok(!shop.read('out/index.js').includes('[A-Z][a-z]'))
    for (const file of ['config.capnp', 'wrangler.jsonc']) {
      assert.match(shop.read(`out/${file}`), /"nodejs_compat",[^\]]*"new_module_registry"/)
    }
    for (const name of modules()) assert.ok(shop.read('out/config.capnp').includes(`"${name}"`))
  })

  test('serves first requests to all routes at once', () => serve(assertAllServe))

  test('streams, and lets handlers read schemas', () =>
    serve(async (ask) => {
      const streamed = await ask('/streamed', post(['a', 'bc']))
      assert.equal(`${streamed.status} ${await streamed.text()}`, '200 abc')
      assert.equal((await ask('/streamed', post(['a lot of letters']))).status, 400)
      assert.deepEqual(await (await ask('/shown/7')).json(), {
        params: { type: 'object', properties: { id: { type: 'integer', maximum: 77 } } },
      })
    }))

  test('serves where all modules are loaded when it starts, and have no URLs', async () => {
    const flagless = shop.read('out/config.capnp').replace(', "new_module_registry"', '')
    shop.write('out/flagless.capnp', flagless)
    await serve(assertAllServe, 'flagless.capnp')
    await serve(async (ask) => assert.equal((await ask('/shown/7')).status, 200), 'flagless.capnp')
  })

  test('refuses the routes of a module that cannot be loaded, and names it', async () => {
    const [lost = '', broken = ''] = modules()
    const config = shop.read('out/config.capnp').replace(new RegExp(`.*"${lost}".*\n`), '')
    shop.write('out/damaged.capnp', config)
    const whole = shop.read(`out/${broken}`)
    shop.write(`out/${broken}`, `throw new Error('It is broken')\n${whole}`)
    try {
      const printed = await serve(async (ask, output) => {
        const statuses = new Set<number>()
        const messages = new Set<string>()
        for (let i = 0; i < COUNT; i++) {
          const answer = await ask(`/r${i}/${i}`, post({ name: 'Ada' }))
          const { code, message } = (await answer.json()) as { code?: string; message?: string }
          statuses.add(answer.status)
          if (answer.status === 500) messages.add(`${code} ${message}`)
        }
        const sorted = [...statuses].sort((a, b) => a - b)
        assert.deepEqual(sorted, [200, 500])
        assert.deepEqual(
          [...messages],
          ['FST_ERR_AOT_ARTIFACT_DAMAGED The artifact cannot serve this route. The log says why.'],
        )
        return output
      }, 'damaged.capnp')
      assert.ok(printed().includes(`"${lost}" cannot be loaded: Error: Module not found`))
      assert.ok(printed().includes(`"${broken}" cannot be loaded: Error: It is broken`))
    } finally {
      shop.write(`out/${broken}`, whole)
    }
  })

  test('does not start when a module is missing', async () => {
    const [lost = ''] = modules()
    const text = shop.read(`out/${lost}`)
    rmSync(join(folder, lost))
    try {
      await assert.rejects(serve(assertAllServe), (error: Error) => error.message.includes(lost))
    } finally {
      shop.write(`out/${lost}`, text)
    }
  })

  if (runsAll) {
    test('serves in the server for development', async () => {
      const { port, stop } = await startWrangler(folder, ['dev', '--config', 'wrangler.jsonc'])
      try {
        await assertAllServe(askOn(port))
        assert.equal((await askOn(port)('/shown/7')).status, 200)
      } finally {
        await stop()
      }
    })

    test('is uploaded with all of its modules', () => {
      const printed = runWrangler(folder, ['deploy', '--config', 'wrangler.jsonc', '--dry-run'])
      for (const name of modules()) assert.ok(printed.includes(name), printed)
      assert.match(printed, /schemas-.*\.js/)
    })
  }
})
