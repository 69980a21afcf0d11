/** Tests builds of applications with packages, and with links, which are followed as Node follows them. */
import assert from 'node:assert/strict'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))

function copyPackage({ folder }: Workshop, name: string): void {
  cpSync(join(installed, name), join(folder, 'node_modules', name), { recursive: true })
}

test('plugins of Ajv work although the application has its own copy of Ajv', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const name of ['ajv', 'ajv-errors']) copyPackage(shop, name)
  shop.install('fast-deep-equal', 'fast-uri', 'json-schema-traverse')
  shop.writeApp(`import framework from 'framework'
import errors from 'ajv-errors'
const app = framework({ ajv: { customOptions: { allErrors: true }, plugins: [errors] } })
const name = { type: 'string', errorMessage: 'a text is needed' }
const errorMessage = { required: { name: 'say who you are' } }
const body = { type: 'object', properties: { name }, required: ['name'], errorMessage }
app.post('/', { schema: { body } }, async () => 'ok')
export default app
`)
  shop.write(
    'main.js',
    `const { default: app } = await import('./app.js')
const { body } = await app.inject({ method: 'POST', url: '/', payload: {} })
console.log(JSON.parse(body).message)
`,
  )
  shop.succeed('build', 'app.js')
  const run = shop.start('main.js')
  assert.equal(run.stdout, 'body say who you are\n', run.stderr)
})

test('packages that find routes of the application by themselves are reported', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('node_modules/fastify-decorators/package.json', '{ "main": "index.js" }')
  shop.write('node_modules/fastify-decorators/index.js', 'exports.bootstrap = async () => {}')
  shop.writeApp(`import framework from 'framework'
import { bootstrap } from 'fastify-decorators'
const app = framework()
app.register(bootstrap, { directory: new URL('controllers', import.meta.url) })
export default app
`)
  const stderr = shop.fail('build', 'app.js', '--no-boot')
  assert.match(stderr, /app\.js:4:1 {2}AOT_PLUGIN_NOT_STATIC/)
  assert.match(stderr, /"fastify-decorators" finds routes of the application by itself/)
})

test('lodash-es is reported if the application uses its `template`, which generates code', (t) => {
  for (const [name, codes] of [
    ['chunk', []],
    ['template', ['AOT_CODE_GENERATION']],
  ] as const) {
    const shop = createWorkshop(t, 'cli/empty', {
      'node_modules/lodash-es/package.json': { type: 'module', main: 'lodash.js' },
      'node_modules/lodash-es/lodash.js': `export { default as chunk } from './chunk.js'
export { default as template } from './template.js'`,
      'node_modules/lodash-es/chunk.js': 'export default () => []',
      'node_modules/lodash-es/template.js': 'export default (text) => Function(text)',
    }).writeApp(`import framework from 'framework'
import { ${name} } from 'lodash-es'
export const app = framework()
app.get('/', async () => ${name}(''))
`)
    const warnings = shop.warnings('build', 'app.js')
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    )
  }
})

test('an entry that is a link imports from where it leads to', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'real/app.js': `import framework from 'framework'
import { query } from './query.js'
const app = framework()
app.get('/', { schema: { querystring: query } }, async ({ query }) => query)
console.log((await app.inject('/?a=1')).body)
`,
    'real/query.js':
      "export const query = { type: 'object', properties: { a: { type: 'integer' } } }",
  })
  symlinkSync('real/app.js', join(shop.folder, 'link.js'))
  shop.succeed('build', 'link.js')
  const run = shop.start('link.js')
  assert.equal(run.stdout, '{"a":1}\n', run.stderr)
  shop.succeed('check', 'real/app.js')
})

test('a file that is a link, or lies in a linked folder, imports from where it leads to', (t) => {
  const shop = createWorkshop(t, 'cli/empty', {
    'src/app.js': `import framework from 'framework'
import { plugin } from './plugin.js'
import { plugin as other } from './shared/plugin.js'
const app = framework()
app.register(plugin, { prefix: '/a' })
app.register(other, { prefix: '/b' })
console.log((await app.inject('/a?a=1')).body, (await app.inject('/b?a=true')).body)
`,
  })
  const plugin = `import { query } from '../other/query.js'
export async function plugin(app) {
  app.get('/', { schema: { querystring: query } }, async ({ query }) => query)
}
`
  for (const [folder, type] of [
    ['lib/real', 'integer'],
    ['shared/inner', 'boolean'],
  ] as const) {
    shop.write(`${folder}/plugin.js`, plugin)
    shop.write(
      `${folder}/../other/query.js`,
      `export const query = { type: 'object', properties: { a: { type: '${type}' } } }`,
    )
  }
  symlinkSync('../lib/real/plugin.js', join(shop.folder, 'src/plugin.js'))
  symlinkSync('../shared/inner', join(shop.folder, 'src/shared'))
  shop.succeed('build', 'src/app.js')
  const run = shop.start('src/app.js')
  assert.equal(run.stdout, '{"a":1} {"a":true}\n', run.stderr)
})
