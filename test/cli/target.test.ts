/** All commands find the same target, and keep to that of the artifact. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const full = `app.get("/", { schema: { querystring: { type: "object", properties: { n: { type: "integer" } } } } }, async () => ({ version: app.version, isFastify: /fastify[^/]*\\/lib\\//.test(new Error().stack) }))`

/** Applications on Fastify 5 whose entry doesn't import it. */
const applications = {
  'the entry imports the application': {
    'app.js': `import Fastify from 'fastify'\nexport const app = Fastify()\n${full}\n`,
    'index.js': `import { app } from './app.js'\nawait app.listen({ port: Number(process.env.PORT) })\n`,
    'package.json': '{ "type": "module", "dependencies": { "fastify": "5.12.8" } }',
  },
  'the entry exports a plugin': {
    'index.js': `export default async function (app) {\n  ${full}\n}\n`,
    'package.json':
      '{ "type": "module", "dependencies": { "fastify": "5.12.8", "framework": "0.1.0" } }',
  },
} as const

function onFastify5(t: TestContext, files: Readonly<Record<string, string>>): Workshop {
  const shop = createWorkshop(t, 'cli/empty')
  for (const file of shop.list('.'))
    if (!file.includes('node_modules')) rmSync(join(shop.folder, file))
  for (const [file, text] of Object.entries(files)) shop.write(file, text)
  const installed = join(shop.folder, 'node_modules/fastify')
  mkdirSync(dirname(installed), { recursive: true })
  symlinkSync(dirname(fileURLToPath(import.meta.resolve('fastify-5/package.json'))), installed)
  return shop
}

/** The server that answers under `framework dev`, and its version. */
async function servedBy(shop: Workshop, ...options: string[]): Promise<string> {
  const dev = shop.open(['dev', 'index.js', '--port', '0', ...options])
  const [, url = ''] = await dev.until(/serves at (http:\S+)/)
  assert.equal((await fetch(`${url}/?n=x`)).status, 400)
  const answer = (await (await fetch(url)).json()) as { version: string; isFastify: boolean }
  dev.signal('SIGTERM')
  await dev.ended()
  return `${answer.isFastify ? 'fastify' : 'framework'} ${answer.version}`
}

for (const [name, files] of Object.entries(applications)) {
  test(`Fastify 5, ${name}`, async (t) => {
    const shop = onFastify5(t, files)
    const result = (...args: string[]): Readonly<Record<string, unknown>> => {
      const { ok, result } = shop.json<object>(...args)
      return { ok, ...result }
    }
    assert.equal(result('init', 'index.js', '--dry-run')['target'], 'fastify@5')
    assert.equal(await servedBy(shop), 'fastify 5.12.8')
    const { manifest } = result('build', 'index.js') as { manifest?: { line?: string } }
    assert.equal(manifest?.line, 'fastify@5')
    assert.equal(result('check').ok, true)
    assert.equal(result('openapi', 'index.js').ok, true)
    const output = shop.succeed('deploy', 'index.js', '--target', 'node')
    assert.match(output, /^framework\/5 serves instead of fastify 5\.12\.8$/m)
    const deployed = shop.read('.framework/deploy/node/index.js')
    assert.match(deployed, /="5\.12\.8"/)
    // The other line isn't in the bundle.
    assert.doesNotMatch(deployed, /4\.21\.0/)

    // The start script decides, unless an option is passed.
    assert.match(
      shop.succeed('build', 'index.js', '--server', 'framework'),
      /--import framework\/fastify --import \.\/\.framework\/register\.js/,
    )
    assert.equal(result('check').ok, true)
    assert.equal(await servedBy(shop), 'framework 5.12.8')
    assert.equal(result('build', 'index.js').ok, true)
    assert.equal(await servedBy(shop), 'fastify 5.12.8')
    assert.equal(await servedBy(shop, '--server', 'framework'), 'framework 5.12.8')
    assert.equal(await servedBy(shop, '--import', 'framework/fastify'), 'framework 5.12.8')
    // The script of a project on a Node where a preload is cheap.
    const start = 'node --import framework/fastify index.js'
    const project = JSON.parse(shop.read('package.json')) as object
    shop.write('package.json', JSON.stringify({ ...project, scripts: { start } }))
    assert.equal(result('init', 'index.js', '--replace')['replaced'], true)
    assert.equal(result('deploy', 'index.js', '--target', 'node')['replaces'], undefined)
    assert.match(
      shop.succeed('build', 'index.js', '--server', 'fastify@5'),
      /--import framework\/fastify --import \.\/\.framework\/register\.js/,
    )
    assert.equal(await servedBy(shop), 'framework 5.12.8')
    assert.equal(result('init', 'index.js', '--server', 'fastify@5')['replaced'], false)
    assert.match(shop.succeed('build', 'index.js'), /node --import \.\/\.framework\/fastify\.mjs /)
    assert.equal(await servedBy(shop), 'fastify 5.12.8')
  })
}

test('Fastify 5 generates code itself; this package in its place and deployments do not', (t) => {
  const { 'package.json': manifest } = applications['the entry imports the application']
  const source = `import Ajv from 'ajv'\nimport Fastify from 'fastify'\nexport const app = Fastify()\napp.get('/', async () => typeof Ajv)\n`
  const shop = onFastify5(t, { 'index.js': source, 'package.json': manifest })
  shop.install('ajv')
  const codes = (...args: string[]): readonly string[] =>
    shop.json(...args).warnings.map(({ code }) => code)
  assert.deepEqual(codes('build', 'index.js'), [])
  const warned = ['AOT_CODE_GENERATION']
  assert.deepEqual(codes('deploy', 'index.js', '--target', 'node'), warned)
  assert.deepEqual(codes('build', 'index.js', '--server', 'framework'), warned)
  shop.edit('index.js', "'fastify'", "'framework/5'")
  assert.deepEqual(codes('build', 'index.js'), warned)
})

test('the target of the artifact is kept until the application moves to another server', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const app = (server: string): string =>
    `import create from '${server}'\nexport const app = create()\n${full}\n`
  const target = (): string | undefined => shop.manifest().line
  shop.install('fastify')
  shop.write('index.js', app('fastify'))
  shop.succeed('build', 'index.js', '--server', 'framework')
  assert.equal(await servedBy(shop), 'framework 4.21.0')
  assert.equal(target(), undefined)
  shop.write('index.js', app('framework/5'))
  assert.match(shop.fail('check'), /it is for framework, and index\.js runs on framework\/5/)
  assert.equal(await servedBy(shop), 'framework 5.12.8')
  assert.equal(target(), 'fastify@5')
})

test('a deployment keeps the target of the artifact', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('index.js', applications['the entry exports a plugin']['index.js'])
  const deployed = (): RegExpExecArray | null => {
    shop.succeed('deploy', 'index.js', '--target', 'node')
    return /="5\.12\.8"/.exec(shop.read('.framework/deploy/node/index.js'))
  }
  assert.equal(deployed(), null)
  shop.succeed('build', 'index.js', '--server', 'fastify@5')
  assert.ok(deployed())
})

test('the server decides what happens to a part that was left out', (t) => {
  const { 'package.json': manifest } = applications['the entry imports the application']
  const source = `import Fastify from 'fastify'\nexport const app = Fastify()\napp.get('/', { schema: { querystring: JSON.parse(process.env.WORDS) } }, async () => 1)\n`
  const shop = onFastify5(t, { 'index.js': source, 'package.json': manifest })
  const consequence = (...options: string[]): string | undefined =>
    /application knows it\. (.*):\n/.exec(
      shop.succeed('build', 'index.js', '--allow-dynamic', ...options),
    )?.[1]
  const fails = 'With a route that needs it, the application does not start'
  assert.equal(consequence(), 'Fastify compiles it')
  assert.equal(consequence('--server', 'framework'), fails)
  shop.edit('index.js', "'fastify'", "'framework/5'")
  assert.equal(consequence(), fails)
})
