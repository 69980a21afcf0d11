/** Tests that changes of schemas after `ready()` are ignored, as on Fastify. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandFile } from '../support/command-file.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const fixture = join(root, 'fixtures/cli/late-changes')
const main = join(fixture, 'main.js')

test('changes of schemas between ready() and the first request are ignored', (t) => {
  // Inside the checkout, so that the artifact's import of `framework/internal` resolves.
  const out = join(root, `dist/artifacts/late-changes-${process.pid}`)
  t.after(() => rmSync(out, { recursive: true, force: true }))
  run(commandFile, 'build', join(fixture, 'entry.js'), '--out', out)
  const expected = run(main, 'fastify')
  assert.equal(expected.trim().split('\n').length, 6 * 11)
  for (const check of ['ready', 'first-request']) {
    for (const file of ['index.mjs', 'worker.mjs']) {
      const flag = '--disallow-code-generation-from-strings'
      assert.equal(
        run(flag, main, 'framework', check, join(out, file)),
        expected,
        `${check} ${file}`,
      )
    }
  }
  assert.equal(run('--import', 'framework/development', main, 'framework'), expected)
})

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}
