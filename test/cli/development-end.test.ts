/** With `framework/development`, a process that ends because its file only exports an application says so; no other does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const factory = `import framework from 'framework'
export function build() { return framework() }
`

const silent: Readonly<Record<string, string>> = {
  'one that is made and asked': `${factory}console.log((await build().inject('/')).statusCode)\n`,
  'a script that makes it': "import { build } from './app.js'\nawait build().ready()\n",
  'a script that needs none':
    "import { build } from './app.js'\nexport const kind = typeof build\n",
  'a test':
    "import { test } from 'node:test'\nimport { build } from './app.js'\ntest('it', () => build().inject('/'))\n",
  'one that fails': `${factory}process.exitCode = 3\n`,
  'one that is ended': `${factory}process.exit()\n`,
}

test('an entry that only exports its application ends with a warning', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const run = (file: string): string => shop.develop(file).stderr
  const plugin = 'module.exports = async function (fastify, options) {}\n'
  for (const [file, text] of [
    ['app.js', factory],
    ['plugin.cjs', plugin],
  ] as const) {
    shop.write(file, text)
    assert.match(
      run(file),
      new RegExp(
        `\\[FST_AOT_NOT_STARTED\\] FastifyWarning: ${file.replace('.', '\\.')} has ended without an application: it exports one, and nothing has started it\\. Run \`framework dev ${file.replace('.', '\\.')}\`, or a file that lets it listen\\.`,
      ),
    )
  }
  shop.write('tool.cjs', "require('node:child_process').fork('app.js')\n")
  assert.equal(run('tool.cjs'), '')
  for (const [title, text] of Object.entries(silent)) {
    shop.write('other.js', text)
    assert.equal(run('other.js'), '', title)
  }
})
