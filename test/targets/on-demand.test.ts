/**
 * Modules that `import()` loads run when they are needed, on each target as on Node, also if everything is in one file:
 * all of them in `npm run test:all`, a sample in `npm test`.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openBare } from '../support/web/bare.ts'
import { createWorkshop } from '../support/workshop.ts'
import { serve } from './servers.ts'
import { runsAll } from '../support/runs.ts'

const shop = createWorkshop({ after }, 'deploy/on-demand')

function ask(...args: readonly string[]): unknown[] {
  const { stdout, stderr } = shop.node('--disallow-code-generation-from-strings', 'ask.js', ...args)
  assert.equal(stderr, '')
  return JSON.parse(stdout) as unknown[]
}

const expected = ask('source')

function deploy(target: string): string {
  shop.succeed('deploy', 'app.js', '--target', target, '--out', target)
  return join(shop.folder, target)
}

/** The differences that docs/reference/deployment.md lists: run from the source, each of these throws. */
test('in one file, modules loaded by import() read variables of an import cycle before they are set, and none assigns to a constant', async (t) => {
  const stall = createWorkshop(t, 'cli/empty', {
    'app.js': `import fastify from 'fastify'
export default function stall() {
  const app = fastify()
  app.get('/', async () => (await import('./late.js')).told)
  return app
}
`,
    'late.js': `import { read } from './circle.js'
export const fixed = 1
const tell = (task) => { try { return task() ?? 'nothing' } catch ({ message }) { return message } }
export const told = [read ?? 'nothing', tell(() => (fixed = 2))]
`,
    'circle.js': `import { fixed } from './late.js'
let found
try { found = fixed } catch ({ message }) { found = message }
export const read = found
`,
  })
  const ofSource = stall.node(
    '--input-type=module',
    '-e',
    "console.log(JSON.stringify((await import('./late.js')).told))",
  )
  assert.deepEqual(JSON.parse(ofSource.stdout), [
    "Cannot access 'fixed' before initialization",
    'Assignment to constant variable.',
  ])
  const command = ['deploy', 'app.js', '--target', 'web', '--out', 'out']
  const refused = stall.fail(...command)
  assert.match(refused, /AOT_BUNDLE_FAILS\n.*Cannot assign to "fixed" because it is a constant/)
  stall.write('late.js', stall.read('late.js').replace('(fixed = 2)', '2'))
  stall.succeed(...command)
  const place = await openBare(join(stall.folder, 'out'))
  try {
    const question = { url: 'http://a.test/', method: 'GET', headers: [], body: null }
    const answer = await place.ask(question)
    assert.deepEqual(JSON.parse(answer.body), ['nothing', 2])
  } finally {
    await place.close()
  }
})

if (runsAll) {
  test('it runs when it is asked for: web', () => {
    const file = pathToFileURL(join(deploy('web'), 'index.js')).href
    assert.deepEqual(ask('web', file), expected)
  })
}

for (const [target, open] of Object.entries(serve).filter(([name]) => runsAll || name === 'node')) {
  test(`it runs when it is asked for: ${target}`, async () => {
    const { port, stop } = await open(deploy(target))
    try {
      assert.deepEqual(ask('served', `http://127.0.0.1:${port}`), expected)
    } finally {
      await stop()
    }
  })
}
