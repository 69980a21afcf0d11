/** A build starts the sandbox only if it may need it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { build } from '../../compiler/index.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

test('a build without calls into packages starts no sandbox', async (t) => {
  assert.equal(await threadsFor(createApplication(t, "{ type: 'string' }")), 0)
  assert.equal(await threadsFor(createApplication(t, 'text()')), 1)
})

test('a build after an edit starts a sandbox only if a computed schema may have changed', async (t) => {
  const app = createApplication(t, "text({ list: [{ type: 'null' }], more: () => LIMIT })")
  assert.equal(await threadsFor(app, true), 1)
  app.edit('app.js', "=> ''", "=> { return 'edited' }")
  assert.equal(await threadsFor(app, true), 0)
  app.edit('app.js', "'null'", "'boolean'")
  assert.equal(await threadsFor(app, true), 1)
  app.edit('app.js', 'LIMIT = 1', 'LIMIT = 2')
  assert.equal(await threadsFor(app, true), 1)
  app.edit('node_modules/texts/index.js', "'string'", "'number'")
  assert.equal(await threadsFor(app, true), 1)
  app.edit('app.js', "'edited'", "'edited again'")
  assert.equal(await threadsFor(app, true), 0)
})

function createApplication(t: TestContext, schema: string): Workshop {
  const app = createWorkshop(t, 'cli/empty').writeApp(`import framework from 'framework'
import { text } from 'texts'
const LIMIT = 1
export const app = framework()
app.post('/', { schema: { body: ${schema} } }, async () => '')
`)
  app.write('node_modules/texts/package.json', '{ "name": "texts", "version": "1.0.0" }')
  app.write('node_modules/texts/index.js', "exports.text = () => ({ type: 'string' })")
  return app
}

/** The number of threads that a build starts: one watches the process. */
async function threadsFor({ folder }: Workshop, cache = false): Promise<number> {
  let count = 0
  const note = (): void => void count++
  process.on('worker', note)
  const { diagnostics } = await build({ entry: join(folder, 'app.js'), cache, boot: false })
  // The build is notified of a thread some time later.
  await setImmediate()
  process.off('worker', note)
  assert.deepEqual(diagnostics, [])
  return count
}
