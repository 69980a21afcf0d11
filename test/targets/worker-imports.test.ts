/** Imports of files that aren't code, as wrangler takes them: in workerd, and in `npm run test:all` in wrangler's own server. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { runsAll } from '../support/runs.ts'
import { serveConfig } from '../support/workerd.ts'
import { startWrangler } from '../support/wrangler.ts'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

/** A WebAssembly module that exports `add`. */
const add = [
  [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  [1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f],
  [3, 2, 1, 0],
  [7, 7, 1, 3, 0x61, 0x64, 0x64, 0, 0],
  [10, 9, 1, 7, 0, 0x20, 0, 0x20, 1, 0x6a, 0x0b],
].flat()

/** Files of the application, of a folder above its entry, and of a package. */
function createShop(t: TestContext): Workshop {
  const shop = createWorkshop(t, 'cli/empty', {
    'src/app.js': `import framework from 'framework/5'
import statement from './orders.sql'
import page from '../page.html'
import { licence } from 'letters'
import bytes from './mark.bin'
import plus from './add.wasm'
import again from './add.wasm?module'
export const app = framework()
app.get('/', async () => {
  const { exports } = new WebAssembly.Instance(plus)
  return { statement, page, licence, bytes: [...new Uint8Array(bytes)], sum: exports.add(2, 3), same: again instanceof WebAssembly.Module }
})
app.get('/late', async () => (await import('./late.txt')).default)
`,
    'src/orders.sql': "select 'Ä\\n' from orders\n",
    'src/late.txt': 'later',
    'page.html': '<h1>`${Orders}`</h1>',
    'node_modules/letters/package.json':
      '{ "name": "letters", "type": "module", "exports": "./index.js" }',
    'node_modules/letters/index.js': "export { default as licence } from './licence.txt'\n",
    'node_modules/letters/licence.txt': 'Free.',
  })
  writeFileSync(join(shop.folder, 'src/mark.bin'), Uint8Array.from([0, 255, 128, 10]))
  writeFileSync(join(shop.folder, 'src/add.wasm'), Uint8Array.from(add))
  return shop
}

const expected = {
  statement: "select 'Ä\\n' from orders\n",
  page: '<h1>`${Orders}`</h1>',
  licence: 'Free.',
  bytes: [0, 255, 128, 10],
  sum: 5,
  same: true,
}

for (const way of runsAll ? (['workerd', 'wrangler'] as const) : (['workerd'] as const)) {
  test(`texts, data and WebAssembly are imported in ${way}`, async (t) => {
    const shop = createShop(t)
    shop.succeed('deploy', 'src/app.js', '--target', 'workerd', '--out', 'out')
    const out = join(shop.folder, 'out')
    const { port, stop } =
      way === 'workerd'
        ? await serveConfig(out, 'config.capnp')
        : await startWrangler(out, ['dev', '--config', 'wrangler.jsonc'])
    t.after(async () => void (await stop()))
    const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
    assert.deepEqual(await (await ask('/')).json(), expected)
    assert.equal(await (await ask('/late')).text(), 'later')
  })
}
