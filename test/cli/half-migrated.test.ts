/** An application on this package's runtime of which one module still imports Fastify, which generates code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('the build warns about modules that import Fastify in an application that this package serves', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.install('fastify')
  shop.writeApp(`import framework from 'framework'
import { metrics } from './metrics.js'
export const app = framework()
app.get('/', async () => metrics.printRoutes())
`)
  shop.write('metrics.js', `import fastify from 'fastify'\nexport const metrics = fastify()\n`)
  const warned = (...args: string[]): string[] =>
    shop.warnings(...args).map(({ code, at: { file, line }, message }) => {
      assert.match(message, /^"fastify" may generate code .*`--import framework\/fastify`/)
      return `${code} ${file}:${line}`
    })
  const expected = 'AOT_CODE_GENERATION metrics.js:1'
  assert.deepEqual(warned('build', 'app.js'), [expected])
  assert.deepEqual(warned('build', 'app.js'), [expected], 'cached')
  assert.match(shop.fail('build', 'app.js', '--strict-eval'), /^metrics\.js:1:\d+ {2}AOT_CODE_GEN/m)

  // Deployments replace Fastify.
  assert.deepEqual(warned('deploy', 'app.js', '--target', 'node'), [])
  const scripts = { start: 'node --import framework/fastify app.js' }
  shop.write('package.json', JSON.stringify({ type: 'module', scripts }))
  assert.deepEqual(warned('build', 'app.js'), [])
  shop.write('package.json', '{ "type": "module" }')
  shop.write('metrics.ts', `import { fastify } from 'fastify'\nexport let app: typeof fastify\n`)
  shop.edit('app.js', './metrics.js', './metrics.ts')
  shop.edit('app.js', '{ metrics }', '* as metrics')
  assert.deepEqual(warned('build', 'app.js'), [])
})

test('it does not warn if `fastify` is an alias of this package', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('node_modules/fastify/package.json', '{ "name": "framework", "version": "0.1.0" }')
  shop.writeApp(`import framework from 'framework'
import fastify from 'fastify'
export const app = framework()
app.get('/', async () => fastify().printRoutes())
`)
  assert.deepEqual(shop.warnings('build', 'app.js'), [])
})
