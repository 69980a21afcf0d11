/** Tests builds of applications with packages. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
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

test('reports packages that find routes of the application by themselves', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('node_modules/fastify-decorators/package.json', '{ "main": "index.js" }')
  shop.write('node_modules/fastify-decorators/index.js', 'exports.bootstrap = async () => {}')
  shop.writeApp(`import framework from 'framework'
import { bootstrap } from 'fastify-decorators'
const app = framework()
app.register(bootstrap, { directory: new URL('controllers', import.meta.url) })
export default app
`)
  const stderr = shop.fail('build', 'app.js')
  assert.match(stderr, /app\.js:4:1 {2}AOT_PLUGIN_NOT_STATIC/)
  assert.match(stderr, /"fastify-decorators" finds routes of the application by itself/)
})
