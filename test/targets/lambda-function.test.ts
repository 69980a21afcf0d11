/** A function that is deployed to Lambda logs as the platform reads it, and keeps the entry's other handlers. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toEvent } from '../support/lambda/gateway.ts'
import { createWorkshop } from '../support/workshop.ts'

const shop = createWorkshop({ after }, 'deploy/function')

/** Deploys an entry, and runs code with its exports in another process. Returns the lines of JSON that are printed. */
function run(entry: string, code: string): Record<string, unknown>[] {
  shop.succeed('deploy', entry, '--target', 'lambda', '--out', 'out')
  shop.write('call.mjs', `import * as deployed from './out/index.js'\n${code}`)
  const { status, stdout, stderr } = shop.node('call.mjs')
  assert.equal(status, 0, stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const event = toEvent('url', { method: 'GET', target: '/levels', headers: [], body: undefined })
const call = `await deployed.handler(${JSON.stringify(event)}, {})`

test('loggers write levels and timestamps as CloudWatch reads them', () => {
  const lines = run('app.js', call)
  // `fatal` writes at once, which may be before the first line has been written.
  assert.deepEqual(
    lines.map(({ level, msg }) => `${level as string} ${msg as string}`).sort(),
    [
      'INFO incoming request',
      'TRACE trace',
      'DEBUG debug',
      'INFO info',
      'WARN warn',
      'WARN audit',
      'ERROR error',
      'FATAL fatal',
      'INFO request completed',
    ].sort(),
  )
  for (const { timestamp, time } of lines) {
    assert.equal(time, undefined)
    assert.equal(new Date(timestamp as string).toISOString(), timestamp)
  }
})

test("loggers keep the application's own format", () => {
  const [, logged] = run('own-format.js', call)
  assert.deepEqual(logged, { severity: 'warn', reqId: 'req-1', msg: 'logged' })
})

shop.write(
  'queue-starts.js',
  shop.read('queue.js').replace('export default app', 'await app.listen({ port: 3000 })'),
)
const declarations = `const framework = require('framework/5')
const app = framework()
app.get('/levels', async () => 'served')
const sqs = async ({ name }) => (await app.ready(), { got: name })
function schedule({ name }) {
  return { got: name }
}
`
shop.write('queue.cjs', `${declarations}module.exports = { app, sqs, schedule }`)
shop.write(
  'queue-exports.cjs',
  `${declarations}Object.assign(exports, { app })\nexports.sqs = sqs\nexports.schedule = schedule`,
)
shop.write('queue-app.cjs', `${declarations}module.exports = Object.assign(app, { sqs, schedule })`)
shop.write('sub/package.json', '{}')
shop.write('sub/queue.ts', shop.read('queue.js'))
const entries = [
  'queue.js',
  'queue-starts.js',
  'queue.cjs',
  'queue-exports.cjs',
  'queue-app.cjs',
  'sub/queue.ts',
]
for (const entry of entries) {
  test(`other exported functions are handlers too: ${entry}`, () => {
    const code = `for (const name of ['sqs', 'schedule']) console.log(JSON.stringify(await deployed[name]({ name })))
const { statusCode } = await deployed.handler(${JSON.stringify(event)}, {})
console.log(JSON.stringify({ statusCode, names: Object.keys(deployed).filter((name) => name !== 'default').sort() }))`
    const [sqs, schedule, served] = run(entry, code)
    assert.deepEqual([sqs, schedule], [{ got: 'sqs' }, { got: 'schedule' }])
    assert.deepEqual(served, {
      statusCode: 200,
      names: ['handler', 'schedule', 'sqs', 'streaming'],
    })
  })
}
