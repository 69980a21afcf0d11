/** Packages with a binary on platforms that can't have them: reported however they are imported, unless the code does without. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { deploy } from '../../../compiler/deploy/index.ts'
import { createWorkshop } from '../../support/workshop.ts'

const plugin = (code: string): Record<string, string | object> => ({
  'node_modules/plugin/package.json': { name: 'plugin', version: '1.0.0', type: 'commonjs' },
  'node_modules/plugin/index.js': `${code}\nmodule.exports = async () => binary\n`,
})

const byPlugin = `import plugin from 'plugin'\nconst use = plugin`
const cases: Readonly<
  Record<string, readonly [app: string, files?: Record<string, string | object>]>
> = {
  'an import': [`import binary from 'binary'\nconst use = () => binary`],
  'a function of `createRequire`': [
    `import { createRequire } from 'node:module'
const load = createRequire(import.meta.url)
const binary = load('binary')
const use = () => binary`,
  ],
  'CommonJS of a package': [byPlugin, plugin(`const binary = require('binary')`)],
  'CommonJS of a package, when it runs': [
    byPlugin,
    plugin(`const binary = () => require('binary')`),
  ],
}

function deployed(
  t: Parameters<typeof createWorkshop>[0],
  app: string,
  files = {},
): ReturnType<typeof deploy> {
  const shop = createWorkshop(t, 'cli/empty', {
    'node_modules/binary/package.json': { name: 'binary', version: '1.0.0', gypfile: true },
    'node_modules/binary/index.js': 'module.exports = 1\n',
    ...files,
  })
  shop.writeApp(`import framework from 'framework/5'
${app}
export const app = framework()
app.get('/', async () => use())
`)
  return deploy({ entry: join(shop.folder, 'app.js'), target: 'workerd' })
}

for (const [what, [app, files]] of Object.entries(cases)) {
  test(`reports a binary by ${what}`, async (t) => {
    const { diagnostics } = await deployed(t, app, files)
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AOT_TARGET_PACKAGE'],
    )
    const chain = files === undefined ? 'app.js > binary' : 'app.js > plugin > binary'
    assert.match(diagnostics[0]?.message ?? '', new RegExp(`^"binary" .*\\(${chain}\\)`))
  })
}

test('lacks a binary that a package tries to load', async (t) => {
  const tried = 'let binary\ntry {\n  binary = require("binary")\n} catch {}'
  const { diagnostics, deployment } = await deployed(t, byPlugin, plugin(tried))
  assert.deepEqual(diagnostics, [])
  assert.deepEqual(deployment?.packages, [])
})
