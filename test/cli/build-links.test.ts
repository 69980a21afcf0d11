/** Links to files of the application are followed as Node follows them. */
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('an entry that is a link imports from where it leads to', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write(
    'real/app.js',
    `import framework from 'framework'
import { query } from './query.js'
const app = framework()
app.get('/', { schema: { querystring: query } }, async ({ query }) => query)
console.log((await app.inject('/?a=1')).body)
`,
  )
  shop.write(
    'real/query.js',
    "export const query = { type: 'object', properties: { a: { type: 'integer' } } }",
  )
  symlinkSync('real/app.js', join(shop.folder, 'link.js'))
  shop.succeed('build', 'link.js')
  const run = shop.start('link.js')
  assert.equal(run.stdout, '{"a":1}\n', run.stderr)
  shop.succeed('check', 'real/app.js')
})

test('a file that is a link, or lies in a linked folder, imports from where it leads to', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write(
    'src/app.js',
    `import framework from 'framework'
import { plugin } from './plugin.js'
import { plugin as other } from './shared/plugin.js'
const app = framework()
app.register(plugin, { prefix: '/a' })
app.register(other, { prefix: '/b' })
console.log((await app.inject('/a?a=1')).body, (await app.inject('/b?a=true')).body)
`,
  )
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
