/** One application with all tested plugins for Fastify 5 answers on `framework/5` as on Fastify 5. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testedPlugins } from '../../../compiler/packages/tested-plugins.ts'
import { installPlugins } from './suite.ts'

const here = new URL('../../../../test/conformance/', import.meta.url)

test('all plugins together answer as on Fastify 5', () => {
  const { folder } = installPlugins('5')
  const preload = new URL('plugins/child/redirect.mjs', here).href
  const program = fileURLToPath(new URL('plugins/together.mjs', here))
  const run = (env: Readonly<Record<string, string>>): readonly string[] => {
    const args = ['--import', preload, program]
    const options = { env: { ...process.env, PEER_SUITE: folder, ...env }, timeout: 60_000 }
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...options,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    return stdout.split('\n')
  }
  const expected = run({})
  const actual = run({ PEER_TARGET: fileURLToPath(new URL('target-5.mjs', here)) })
  assert.deepEqual(expected[0]?.split(','), Object.keys(testedPlugins[5]))
  assert.ok(expected.length > 30)
  assert.deepEqual(actual, expected)
})
