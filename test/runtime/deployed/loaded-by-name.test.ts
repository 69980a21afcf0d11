/** Modules of a bundle that are loaded by computed names, with the names that Node resolves to the same files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createByName } from '../../../runtime/deployed/loaded-by-name.ts'

const file = '/app/routes/a b.js'
const locate = Object.assign((path: string) => `/app/${path}`, {
  url: (path: string) => pathToFileURL(`/app/${path}`).href,
})
const loads = { 'routes/a b.js': () => 'bundled' }
const load = async (specifier: string): Promise<string> => `not bundled: ${specifier}`
const { importByName, requireByName } = createByName(loads, loads, locate, load)

test('a query string in a name belongs to the URL of an import', async () => {
  for (const name of [
    file,
    './routes/a b.js',
    '/app/other/../routes/a%20b.js',
    locate.url('routes/a b.js'),
  ]) {
    for (const end of ['', '?time=1', '#part']) {
      assert.equal(await importByName(`${name}${end}`, 'main.js'), 'bundled', name + end)
    }
  }
})

test('a name that is passed to `require` is a path', () => {
  assert.equal(requireByName('/app/routes/a b', 'main.js'), 'bundled')
  assert.throws(() => requireByName(`${file}?time=1`, 'main.js'), { code: 'MODULE_NOT_FOUND' })
})
