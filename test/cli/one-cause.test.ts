/** Problems with one cause are reported together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

test('one mistake that breaks many schemas is reported once, with all of them', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('schemas.js', `export const item = { type: 'object' }\n`)
  const routes = Array.from(
    { length: 8 },
    (_, i) => `app.post('/${i}', { schema: { body: items } }, f)`,
  )
  shop.writeApp(`import framework from 'framework'
import { items } from './schemas.js'
const app = framework()
const f = async () => 'found'
${routes.join('\n')}
export default app
`)
  const stderr = shop.fail('build', 'app.js')
  assert.equal(stderr.match(/AOT_SCHEMA_NOT_STATIC/g)?.length, 1, stderr)
  assert.match(
    stderr,
    /^The body of the schema of POST \/0 cannot be computed: .* no export `items`/m,
  )
  for (const i of [1, 2, 3, 4, 5])
    assert.match(stderr, new RegExp(`^ {2}The body .* POST /${i} `, 'm'))
  assert.match(stderr, /^ {2}and 2 more\n\n/m)
  assert.match(stderr, /^8 problems; nothing was written\./m)
  const { diagnostics } = JSON.parse(shop.framework('build', 'app.js', '--json').stdout) as {
    diagnostics: readonly unknown[]
  }
  assert.equal(diagnostics.length, 8)
})
