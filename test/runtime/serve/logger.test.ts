import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import framework from 'framework'
import { now } from '../../../runtime/serve/logger.ts'
import { createWorkshop } from '../../support/workshop.ts'

test('time is measured in milliseconds', async () => {
  const outer = performance.now()
  const start = now()
  const inner = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 5))
  const least = performance.now() - inner
  const passed = now() - start
  const most = performance.now() - outer
  assert.ok(passed >= least && passed <= most, `${least} <= ${passed} <= ${most}`)
})

test('pino is loaded only for a logger', () => {
  const script = `
    import { createRequire } from 'node:module'
    const { createLogger } = await import(process.argv[1])
    const { cache } = createRequire(import.meta.url)
    const isLoaded = () => Object.keys(cache).some((file) => file.includes('pino'))
    createLogger({}).logger.info('x')
    const before = isLoaded()
    createLogger({ logger: { level: 'silent' } })
    console.log(before, isLoaded())
  `
  const module = new URL('../../../runtime/serve/logger.js', import.meta.url).href
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, module])
  assert.equal(String(output).trim(), 'false true')
})

for (const [title, transport] of [
  ['one target', { target: 'pino/file', options: { destination: '%' } }],
  ['several targets', { targets: [{ target: 'pino/file', options: { destination: '%' } }] }],
] as const) {
  test(`without code generation, a transport of pino logs, and doesn't delay the end: ${title}`, (t) => {
    const shop = createWorkshop(t, 'cli/empty')
    const text = JSON.stringify(transport).replace('"%"', '"lines.log"')
    shop.writeApp(`import framework from 'framework'
      const app = framework({ logger: { transport: ${text} } })
      app.get('/', () => 'ok')
      await app.inject('/')
      if ('__bundlerPathsOverrides' in globalThis) throw new Error('it leaves a trace')`)
    const { status, stderr } = shop.node('--disallow-code-generation-from-strings', 'app.js')
    assert.equal(status, 0, stderr)
    const lines = shop.read('lines.log').trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    assert.deepEqual(messages, ['incoming request', 'request completed'])
  })
}

for (const [what, logger] of Object.entries({
  'the serializer of requests': { serializers: { req: broken } },
  'a serializer that is no function': { serializers: { req: 'text' } },
})) {
  test(`a request that fails by ${what} is logged`, async () => {
    const lines: string[] = []
    const stream = { write: (line: string): unknown => lines.push(line) }
    const app = framework({ logger: { ...logger, stream } as never })
    app.get('/', async () => 'never')
    const { statusCode } = await app.inject('/')
    assert.equal(statusCode, 500)
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
      ['a request failed, and its error cannot be logged with request and reply'],
    )
  })
}

test('a request that fails because its logger cannot write causes a warning', async () => {
  const app = framework({ logger: { mixin: broken, stream: { write: () => {} } } })
  app.get('/', async () => 'never')
  const warned = once(process, 'warning') as Promise<[Error]>
  assert.equal((await app.inject('/')).statusCode, 500)
  const [{ name }] = await warned
  assert.equal(name, 'FrameworkWarning')
})

function broken(): never {
  throw new Error('broken')
}
