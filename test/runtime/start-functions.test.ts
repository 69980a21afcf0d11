import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')

test('start-functions.json names functions that there are', () => {
  const files = ['index', 'internal', 'logger']
  const code = files.map((file) => read(`dist/package/${file}.js`)).join('\n')
  const names = JSON.parse(read('start-functions.json')) as string[]
  // The build turns declarations into expressions; other functions keep their form.
  const gone = names.filter(
    (name) => !code.includes(`var ${name}=(`) && !code.includes(`function ${name}(`),
  )
  assert.deepEqual(gone, [], 'run npm run bench:start-functions')
})
