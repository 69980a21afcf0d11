/** Applications of `fixtures/cli` print the same on Fastify, from an artifact, and in development. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandFile } from '../support/command-file.ts'
import { runNode } from '../support/command-runs.ts'
import { root } from '../support/root.ts'

/** The number of lines that each prints, and the arguments of Node that use an artifact: flags, and those behind the program. */
const cases = [
  {
    title: 'additions to Ajv behave the same in an artifact and in development',
    fixture: 'validator-extensions',
    count: 29,
    ways: (out: string) => [[['--import', join(out, 'register.js')], []]],
  },
  {
    title: 'changes of schemas between ready() and the first request are ignored',
    fixture: 'late-changes',
    count: 66,
    ways: (out: string) =>
      ['ready', 'first-request'].flatMap((check) =>
        ['index.mjs', 'worker.mjs'].map((file) => [[], [check, join(out, file)]] as const),
      ),
  },
]

for (const { title, fixture, count, ways } of cases) {
  test(title, (t) => {
    // Inside the checkout, so that the artifact's import of `framework/internal` resolves.
    const out = join(root, `dist/artifacts/${fixture}-${process.pid}`)
    t.after(() => rmSync(out, { recursive: true, force: true }))
    const file = (name: string): string => join(root, 'fixtures/cli', fixture, name)
    run(commandFile, 'build', file('entry.js'), '--out', out)
    const expected = run(file('main.js'), 'fastify')
    assert.equal(expected.trim().split('\n').length, count)
    const noCode = '--disallow-code-generation-from-strings'
    for (const [flags, more] of ways(out)) {
      const printed = run(noCode, ...flags, file('main.js'), 'framework', ...more)
      assert.equal(printed, expected, more.join(' '))
    }
    const development = ['--import', 'framework/development', file('main.js'), 'framework']
    assert.equal(run(...development), expected)
  })
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = runNode(root, args)
  assert.equal(status, 0, stdout + stderr)
  return stdout
}
