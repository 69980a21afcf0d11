/** Reports about packages that can't be used, and builds without them. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'

test('says what to do about a package that cannot be loaded', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'scan-packages-'))
  const put = (name: string, text: string): void => writeFileSync(join(dir, name), text)
  try {
    mkdirSync(join(dir, 'node_modules/broken'), { recursive: true })
    put('node_modules/broken/package.json', '{ "main": "index.js" }')
    put('node_modules/broken/index.js', "throw new Error('no licence')")
    put(
      'app.js',
      `import framework from 'framework'
      import { body } from 'broken'
      export const app = framework()
      app.post('/', { schema: { body } }, () => {})`,
    )
    const told: string[] = []
    const report = ({ message }: { readonly message: string }): void => void told.push(message)
    const graph = await scan({ entry: join(dir, 'app.js'), root: dir, out: '' }, report)
    assert.ok(graph)
    buildTree(graph, report)
    assert.deepEqual(told, [
      'The body of the schema of POST / cannot be known without running the application: ' +
        'the package "broken" cannot be loaded: no licence. ' +
        'Make sure that it can be loaded where the application is built.',
    ])
  } finally {
    rmSync(dir, { recursive: true })
  }
})
