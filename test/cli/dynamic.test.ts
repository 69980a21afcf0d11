/** Schemas that the source doesn't determine: they are reported, or left out of the artifact and then refused. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Manifest } from '../../compiler/index.ts'
import { type Workshop, createWorkshop } from '../support/workshop.ts'

const commands = readFileSync(
  new URL('../../../docs/reference/building.md', import.meta.url),
  'utf8',
)

function withoutTimes(report: string): string {
  return report.replace(
    /[\d.]+ kB of code, [\d.]+ kB as files, built in [\d.]+ s/,
    '1 kB, built in 1 s',
  )
}

interface Answers {
  readonly code?: string
  readonly message: string
  readonly known: string
  readonly stored: { readonly statusCode: number; readonly code: string; readonly message: string }
}

/** Requests both routes in a process that has the artifact; `aot` is the factory option. */
function serve(shop: Workshop, aot: object | undefined, env = ''): Answers {
  const options = aot === undefined ? '' : `globalThis.appOptions = ${JSON.stringify({ aot })}\n`
  shop.write('options.js', `${options}process.env.NODE_ENV = ${JSON.stringify(env)}\n`)
  const preloads = ['--import', './.framework/register.js', '--import', './options.js']
  const { stdout, stderr } = shop.node(...preloads, 'main.js')
  assert.notEqual(stdout, '', stderr)
  return JSON.parse(stdout) as Answers
}

test('a schema from a store fails the build, with route, place, cause and next step', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  const { status, stdout, stderr } = shop.framework('build', 'app.js', '--no-boot')
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(
    stderr,
    /store\.js:6:33 +AOT_SCHEMA_NOT_STATIC\n.*body of the schema of POST \/stored/,
  )
  assert.match(stderr, />  ?6 \|.*tables\[table\]/)
  assert.match(
    stderr,
    /^What only the running application knows: build with `--trace` .*, or with `--allow-dynamic` to leave it out\.$/m,
  )
  assert.ok(!shop.list('.').some((file) => file.startsWith('.framework')))
})

test('an entry that does not exist is reported like any other problem', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  const { status, stdout, stderr } = shop.framework('build', 'src/app.js')
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^src\/app\.js:1:1 +AOT_ENTRY_NOT_FOUND\nThere is no file "src\/app\.js"\./m)
  assert.doesNotMatch(stderr, /\n +at /)
})

test('a missing module is reported once, and no option is suggested for it', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  const source = (use: string): string =>
    `import framework from 'framework'\nimport { Type, path } from 'no-package'\nconst app = framework()\n${use}\nexport default app\n`
  const failing = (use: string): string => {
    shop.write('lost.js', source(use))
    const stderr = shop.fail('build', 'lost.js')
    assert.doesNotMatch(stderr, /--trace|--allow-dynamic/)
    return stderr
  }
  const output = failing(
    "app.post('/', { schema: { body: Type.Object({}), response: { 200: Type.String() } } }, () => '')",
  )
  assert.match(output, /^lost\.js:2:28 {2}AOT_IMPORT_NOT_FOUND$/m)
  assert.match(output, /^1 problem; nothing was written\.$/m)
  failing("app.get(path, () => '')")
})

test('--allow-dynamic builds the rest and lists what it left out', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  // As if the store were down while the application is built.
  rmSync(join(shop.folder, 'store.json'))
  const stdout = shop.succeed('build', 'app.js', '--allow-dynamic')
  const [, shown = ''] = /^\$ .*--allow-dynamic\n([^]*?)^```/m.exec(commands) ?? []
  assert.equal(
    withoutTimes(stdout.trim()),
    withoutTimes(shown.trim()),
    'docs/reference/building.md',
  )
  const manifest = shop.manifest()
  assert.deepEqual(manifest.coverage, { literal: 1, sliced: 0, traced: 0, own: 0, dynamic: 1 })
  assert.deepEqual(manifest.dynamic, [])
  const route = manifest.routes.find(({ method }) => method === 'POST')
  assert.deepEqual(route?.parts, { body: 'dynamic' })
  assert.deepEqual(
    route?.dynamic.map(({ part, code, at }) => ({ part, code, at })),
    [{ part: 'body', code: 'AOT_SCHEMA_NOT_STATIC', at: 'store.js:6:33' }],
  )
})

test('a part that was left out is refused at ready(), or only on its route, or compiled in development', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  shop.succeed('build', 'app.js', '--allow-dynamic', '--no-boot')
  const refused = serve(shop, undefined)
  assert.equal(refused.code, 'FST_ERR_AOT_FUNCTION_MISSING')
  assert.match(refused.message, /POST \/stored, body \(declared at app\.js:13:3\)/)
  assert.match(refused.message, /store\.js:6:33/)
  assert.match(refused.message, /Run "framework build app\.js --allow-dynamic --trace"/)
  const lazy = serve(shop, { check: 'first-request' })
  assert.equal(lazy.known, '{"id":7}')
  assert.equal(lazy.stored.statusCode, 500)
  assert.equal(lazy.stored.code, 'FST_ERR_AOT_FUNCTION_MISSING')
  const hidden = 'The artifact cannot serve this route. The log says why.'
  assert.equal(lazy.stored.message, hidden)
  const inProcess = serve(shop, { mode: 'development' })
  assert.equal(inProcess.known, '{"id":7}')
  assert.equal(inProcess.stored.message, "body must have required property 'name'")
  const production = serve(shop, { mode: 'development' }, 'production')
  assert.equal(production.code, 'FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION')
})

test('routes, plugins and shared schemas that are not known are left out as well', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  shop.writeApp(`import framework from 'framework'
import { load } from './store.js'
const app = framework()
const store = await load()
app.addSchema({ ...store.schemaOf('item'), $id: 'item' })
app.post('/item', { schema: { body: { $ref: 'item#' }, response: { 200: { id: { type: 'integer' } } } } }, async () => ({ id: 1 }))
app.get(store.schemaOf('url'), async () => 'ok')
app.register(store.schemaOf('plugin'))
`)
  shop.fail('build', 'app.js')
  type Built = { readonly manifest: Manifest; readonly summary: { readonly dynamic: number } }
  const { manifest, summary } = shop.result<Built>('build', 'app.js', '--allow-dynamic')
  assert.deepEqual(manifest.dynamic.map(({ code }) => code).sort(), [
    'AOT_PLUGIN_NOT_STATIC',
    'AOT_ROUTE_NOT_STATIC',
    'AOT_SCHEMA_NOT_STATIC',
  ])
  assert.deepEqual(manifest.routes.find(({ url }) => url === '/item')?.parts, {
    200: 'literal',
    body: 'dynamic',
  })
  assert.equal(summary.dynamic, 4)
})

test('routes under unknown prefixes are validated, but no URL is claimed for them; alternatives of a schema are one route', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  shop.writeApp(`import framework from 'framework'
const app = framework({ exposeHeadRoutes: false })
const query = (n) => ({ schema: { querystring: { type: 'object', properties: { n } } } })
const list = async (child) => {
  child.addSchema({ $id: 'number', type: 'integer' })
  child.get('/list', query({ $ref: 'number#' }), ({ query }) => query)
  child.get('/own', query({ const: child.prefix }), () => 'own')
}
app.register(list, { prefix: process.env.A })
app.register(list, { prefix: process.env.B })
app.get('/most', query({ type: 'integer', maximum: Number(process.env.MOST ?? 5) }), () => 'most')
await app.register(list, { prefix: '/known' })
export default app
`)
  const out = shop.succeed('build', 'app.js', '--allow-dynamic')
  const routes = [...out.matchAll(/^ +(GET .*)$/gm)].map(([, one]) => one?.replaceAll(/ +/g, ' '))
  assert.deepEqual(routes, [
    'GET /most [querystring (dynamic)]',
    ...['/…', '/…'].flatMap((prefix) => [
      `GET ${prefix}/list [querystring]`,
      `GET ${prefix}/own [querystring (dynamic)]`,
    ]),
    'GET /known/list [querystring]',
    'GET /known/own [querystring]',
  ])
  assert.match(out, /^Parts: 4 compiled, 3 dynamic$/m)
  const { paths, components } = JSON.parse(
    shop.succeed('openapi', 'app.js', '--allow-dynamic'),
  ) as { paths: object; components: { schemas: object } }
  assert.deepEqual(Object.keys(paths), ['/most', '/known/list', '/known/own'])
  assert.deepEqual(Object.keys(components.schemas), ['number'])
  shop.write(
    'ask.js',
    `Object.assign(process.env, { A: '/a', B: '/b' })
globalThis.appOptions = { aot: { check: 'first-request' } }
const { default: app } = await import('./app.js')
const answers = await Promise.all(['/a/list?n=1', '/b/list?n=x'].map((url) => app.inject(url)))
console.log(...answers.map(({ body }) => body))`,
  )
  shop.edit('app.js', 'exposeHeadRoutes: false', '...globalThis.appOptions')
  const answers = shop.start('ask.js')
  assert.match(answers.stdout, /^{"n":1} .*querystring\/n must be integer/, answers.stderr)
})

test('problems other than unknown values still fail the build', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic')
  shop.edit('app.js', "type: 'integer'", "type: 'text'")
  const stderr = shop.fail('build', 'app.js', '--allow-dynamic')
  assert.match(stderr, /AOT_SCHEMA_INVALID/)
})
