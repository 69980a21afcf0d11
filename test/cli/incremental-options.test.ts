/** A build notices edited functions of the options, however far they lie from the application's own files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

interface Summary {
  readonly unchanged: boolean
  readonly compiled: number
  readonly reused: number
}

test('functions in the options are compared by what they consist of, and by the environment', (t) => {
  const shop = createWorkshop(t, 'cli/shop')
  shop.write('formats.js', "import { isShort } from './short.js'\nexport const short = isShort\n")
  shop.write('short.js', 'export const isShort = (text) => text.length < 3\n')
  shop.edit(
    'app.js',
    'framework(options)',
    'framework({ ajv: { customOptions: { formats: { short } } } })',
  )
  shop.edit('app.js', 'import items', "import { short } from './formats.js'\nimport items")
  shop.edit('items.js', 'maxLength: 20', "format: 'short'")
  const run = (...more: string[]): Summary =>
    shop.result<{ summary: Summary }>('build', 'app.js', ...more).summary
  assert.equal(run().compiled, 3)
  assert.equal(run().unchanged, true)
  shop.edit(
    'items.js',
    "id: { type: 'integer' } } } }, async",
    "id: { type: 'string' } } } }, async",
  )
  // The function that imports the format is bound to its place and compiled each time.
  const edited = run()
  assert.deepEqual([edited.compiled, edited.reused], [2, 1])
  shop.edit('short.js', '< 3', '< 4')
  assert.deepEqual([run().unchanged, run().unchanged], [false, true])
  run('--no-cache', '--out', 'cold')
  for (const file of shop.list('cold').filter((file) => file.includes('.'))) {
    assert.equal(shop.read(`.framework/${file}`), shop.read(`cold/${file}`), file)
  }
})
