/** A plugin of Ajv becomes a module of its own, in which its function finds the values of all its variables. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scan } from '../../../compiler/1-scan/index.ts'
import { temporaryFolder } from '../../support/folders.ts'

test('keeps all numbers, and variables with any names', async (t) => {
  const root = temporaryFolder(t)
  const entry = join(root, 'app.js')
  writeFileSync(
    entry,
    `import framework from 'framework'
const limits = [Infinity, -Infinity, NaN, -0, 1e21, 0.1]
const value = 5, made = 6, part0 = 7, part1 = 8, once = 9
const plugin = () => [limits, value, made, part0, part1, once]
const app = framework({ ajv: { plugins: [plugin] } })
app.get('/', () => 'ok')`,
  )
  const graph = await scan({ entry, root, out: root }, ({ message }) => assert.fail(message))
  const code = graph?.options.ajv?.plugins?.[0]?.ref.code ?? ''
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    default(): unknown
  }
  const limits = [Infinity, -Infinity, NaN, -0, 1e21, 0.1]
  assert.deepEqual(module.default(), [limits, 5, 6, 7, 8, 9])
})
