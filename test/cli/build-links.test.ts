/** A link to the entry is followed as Node follows it. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('an entry that is a link imports from where it leads to', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  mkdirSync(join(shop.folder, 'real'))
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
  const { status, stderr } = shop.framework('build', 'link.js')
  assert.equal(status, 0, stderr)
  const run = shop.node('--import', './.framework/register.js', 'link.js')
  assert.equal(run.stdout, '{"a":1}\n', run.stderr)
  assert.equal(shop.framework('check', 'real/app.js').status, 0)
})
