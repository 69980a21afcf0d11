/** A build starts the process that runs slices when it may need one, and not before. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { compile } from '../../compiler/index.ts'

test('a build without calls of packages starts no process for slices', async (t) => {
  assert.equal(await threadsFor(t, "{ type: 'string' }"), 0)
  assert.equal(await threadsFor(t, 'text()'), 1)
})

/** How many threads a build starts: one looks after the process. */
async function threadsFor(t: TestContext, schema: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-slices-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (file: string, content: string): void => writeFileSync(join(folder, file), content)
  mkdirSync(join(folder, 'node_modules/texts'), { recursive: true })
  write('node_modules/texts/package.json', '{ "name": "texts", "version": "1.0.0" }')
  write('node_modules/texts/index.js', "exports.text = () => ({ type: 'string' })")
  write('package.json', '{ "type": "module" }')
  write(
    'app.js',
    `import framework from 'framework'
import { text } from 'texts'
export const app = framework()
app.post('/', { schema: { body: ${schema} } }, async () => '')
`,
  )
  let count = 0
  const note = (): void => void count++
  process.on('worker', note)
  const { diagnostics } = await compile({ entry: join(folder, 'app.js') })
  process.off('worker', note)
  assert.deepEqual(diagnostics, [])
  return count
}
