/** Test suites of applications, which set NODE_ENV and declare routes of their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'

const SUITE = `import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import build from './app.js'

test('as in production', async () => {
  process.env.NODE_ENV = 'production'
  const app = await build()
  const body = { type: 'object', required: ['own'] }
  app.post('/own', { schema: { body } }, async () => 'ok')
  const answers = ['/own', '/stored'].map((url) => app.inject({ method: 'POST', url, payload: {} }))
  const { statusCode } = await app.inject('/known/seven')
  assert.deepEqual([statusCode, ...(await Promise.all(answers)).map((one) => one.statusCode)], [400, 400, 400])
  const chunks = Object.keys(createRequire(import.meta.url).cache).filter((file) => /chunks.*[.]cjs$/.test(file))
  console.log('chunks of the artifact:', chunks.length)
})
`

const REGISTER = ['--import', './.framework/register.js']
const DEVELOPMENT = ['--import', 'framework/development']

test('development compiles what the artifact lacks, and reads NODE_ENV when it is preloaded', (t) => {
  const shop = createWorkshop(t, 'cli/dynamic', { 'suite.js': SUITE })
  shop.succeed('build', 'app.js', '--allow-dynamic')
  const run = (...preloads: string[]): readonly [number | null, string] => {
    const { status, stdout } = shop.node(...preloads, 'suite.js')
    return [status, /chunks of the artifact: \d|FST_ERR_AOT_\w+/.exec(stdout)?.[0] ?? stdout]
  }
  assert.deepEqual(run(...REGISTER, ...DEVELOPMENT), [0, 'chunks of the artifact: 1'])
  assert.deepEqual(run(...DEVELOPMENT, ...REGISTER), [0, 'chunks of the artifact: 1'])
  assert.deepEqual(run(...DEVELOPMENT), [0, 'chunks of the artifact: 0'])
  assert.deepEqual(run(...REGISTER), [1, 'FST_ERR_AOT_FUNCTION_MISSING'])
  shop.write('production.js', "process.env.NODE_ENV = 'production'\n")
  const refused = run('--import', './production.js', ...REGISTER, ...DEVELOPMENT)
  assert.deepEqual(refused, [1, 'FST_ERR_AOT_DEVELOPMENT_IN_PRODUCTION'])
})
