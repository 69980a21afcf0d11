import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { followImports } from '../../../compiler/util/follow-imports.ts'
import { temporaryFolder, writeAll } from '../../support/folders.ts'

test('imports are followed past modules and files that stop the bundler, whatever their names', async (t) => {
  const folder = join(temporaryFolder(t), 'größe (1) [a] {b} +$^|')
  writeAll(folder, {
    'index.js': "import 'größe'; import './kaputt.js'; import './binär.node'; import './ganz.js'",
    'kaputt.js': 'let let = (',
    'binär.node': '',
    'ganz.js': '',
  })
  const importer = join(folder, 'start.js')
  const starts = [{ importer, code: "import './index.js'" }]
  const { inputs, isJavaScript } = await followImports(starts, { tsconfigRaw: {} })
  const files = Object.keys(inputs).map((file) => resolve(file))
  assert.equal(isJavaScript, false)
  for (const file of ['index.js', 'kaputt.js', 'binär.node', 'ganz.js'])
    assert.ok(files.includes(join(folder, file)), `${file} in ${files.join()}`)
})
