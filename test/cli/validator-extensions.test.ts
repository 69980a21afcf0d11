/** Compares an application with formats, keywords, plugins and its own regular expressions on Fastify and built. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandFile } from '../support/command-file.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const fixture = join(root, 'fixtures/cli/validator-extensions')

test('additions to Ajv behave the same in an artifact and in development', (t) => {
  // Inside the checkout, so that the artifact's import of `framework/internal` resolves.
  const out = join(root, `dist/artifacts/validator-extensions-${process.pid}`)
  t.after(() => rmSync(out, { recursive: true, force: true }))
  run(commandFile, 'build', join(fixture, 'entry.js'), '--out', out)
  const main = join(fixture, 'main.js')
  const expected = run(main, 'fastify')
  assert.equal(expected.trim().split('\n').length, 29)
  const flag = '--disallow-code-generation-from-strings'
  assert.equal(run(flag, '--import', join(out, 'register.js'), main, 'framework'), expected)
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
