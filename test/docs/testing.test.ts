/** The recipes of docs/guide/testing.md, run as they are written, on the published package. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createPackedFolder, pack } from '../support/packed.ts'
import { blocksOf, stepsOf } from './tour.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const [beginning = '', ...sections] = readFileSync(
  join(root, 'docs/guide/testing.md'),
  'utf8',
).split(/^## /m)
const tarballs = pack({ after })

/** The files that `npx` starts, and what their packages are called. */
const runners: Readonly<Record<string, string>> = {
  framework: 'framework/dist/command.js',
  vitest: 'vitest/vitest.mjs',
  jest: 'jest/bin/jest.js',
}

/** The runners, the type of the package, and what a run says that has run the one test. */
const recipes = [
  { title: 'node:test', packages: [], type: 'module', passed: /^[#ℹ] pass 1$/m },
  { title: 'Vitest', packages: ['vitest'], type: 'module', passed: /Tests +1 passed \(1\)/ },
  { title: 'Jest', packages: ['jest'], type: 'commonjs', passed: /Tests: +1 passed, 1 total/ },
]

for (const { title, packages, type, passed } of recipes) {
  test(`the recipe of docs/guide/testing.md for ${title} runs its test`, (t) => {
    const section = sections.find((text) => text.startsWith(`${title}\n`)) ?? ''
    const app = createPackedFolder(t, tarballs, packages)
    app.write('package.json', JSON.stringify({ private: true, type }))
    // Later files replace those that the page begins with.
    for (const { info, text } of blocksOf(beginning + section, 'js')) app.write(info, text)
    let runs = 0
    for (const { command } of stepsOf(section)) {
      const [program, ...words] = command.split(' ')
      const args = program === 'npx' ? [installed(words[0]), ...words.slice(1)] : words
      const { status, stdout, stderr } = app.node(args)
      assert.equal(status, 0, `${command}\n${stdout}${stderr}`)
      if (words[0] === 'framework') continue
      assert.match(stdout + stderr, passed, command)
      runs++
    }
    assert.ok(runs > 0)
  })
}

function installed(name = ''): string {
  const file = runners[name]
  assert.ok(file !== undefined, `The page starts "${name}", which this test does not know.`)
  return join('node_modules', file)
}
