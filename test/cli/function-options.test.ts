/** Tests that an artifact calls formats, keywords and plugins of the running application, and that a build notices when they are edited. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reuse } from '../../compiler/index.ts'
import { createWorkshop } from '../support/workshop.ts'

const edits: readonly (readonly [from: string, to: string, seen: string])[] = [
  ['[a-f]', '[x-z]', '400 200 200 400 200 400 200 400'],
  ['value % 2 === 0', 'value % 2 === 1', '200 400 400 200 200 400 200 400'],
  ['most * 1', 'most + 1', '200 400 200 400 200 200 200 400'],
  ['value.startsWith(text)', '!value.startsWith(text)', '200 400 200 400 200 400 400 200'],
]

test('an edited format, keyword or plugin runs without another build', (t) => {
  const shop = createWorkshop(t, 'cli/function-options')
  const written = shop.read('app.js')
  shop.succeed('build', 'app.js')
  for (const file of ['./.framework/index.mjs', './.framework/worker.mjs']) {
    const ask = (): string => {
      const flag = '--disallow-code-generation-from-strings'
      const { stdout, stderr } = shop.node(flag, 'main.js', file)
      assert.notEqual(stdout, '', stderr)
      return stdout.trim()
    }
    assert.equal(ask(), '200 400 200 400 200 400 200 400')
    for (const [from, to, seen] of edits) {
      shop.edit('app.js', from, to)
      assert.equal(ask(), seen, to)
      shop.writeApp(written)
    }
  }
})

test('two instances of one process call their own functions', (t) => {
  const app = (letter: string): string => `import framework from 'framework'

const only = (text) => text === '${letter}'

export default function build() {
  const app = framework({ ajv: { customOptions: { formats: { only } } } })
  app.post('/', { schema: { body: { type: 'string', format: 'only' } } }, async () => 'served')
  return app
}
`
  const shop = createWorkshop(t, 'cli/shop', {
    'app.js': app('a'),
    'other.js': app('b'),
    'main.js': `import build from './app.js'
import buildOther from './other.js'

const apps = [build(), buildOther()]
const seen = []
for (const payload of ['"a"', '"b"']) {
  for (const app of apps) {
    const headers = { 'content-type': 'application/json' }
    seen.push((await app.inject({ method: 'POST', url: '/', payload, headers })).statusCode)
  }
}
console.log(seen.join(' '))
`,
  })
  shop.succeed('build', 'app.js')
  const { stdout } = shop.start('main.js')
  assert.equal(stdout.trim(), '200 400 400 200')
})

test('functions in the options are compared by their code and values, and by the environment', (t) => {
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
  type Result = { readonly summary: Reuse }
  const run = (...more: string[]): Reuse => shop.result<Result>('build', 'app.js', ...more).summary
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
