/** TypeScript beside modules is source, which the bundle replaces. Elsewhere files named `*.ts` are content, such as segments of videos. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorkshop, filesLeftOut } from '../support/workshop.ts'

test('files named *.ts', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('package-lock.json', '{}')
  shop.writeApp(`import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import framework from 'framework'
import { price } from './shared/price.ts'
export const app = framework()
const [web, both] = [join(import.meta.dirname, 'web'), join(import.meta.dirname, 'shared')]
app.get('/', async () => [price, readdirSync(web), readdirSync(both)])
app.get('/intro', async () => readFileSync(join(import.meta.dirname, 'intro.ts')))
`)
  shop.write('web/hls/intro.ts', 'segment')
  shop.write('web/index.html', 'page')
  shop.write('shared/price.ts', 'export const price = 1')
  shop.write('shared/types.ts', 'export interface Price {}')
  shop.write('shared/deep/types.ts', 'export interface Price {}')
  // It has no content.
  shop.write('shared/globals.d.ts', 'declare const currency: string')
  shop.write('intro.ts', 'segment')
  shop.write('whole/package.json', '{}')
  shop.write('whole/src/index.ts', 'export {}')

  const deployed = (...paths: string[]): { files: string[]; left: Map<string, string> } => {
    const args = ['--target', 'node', '--out', 'out', ...paths.flatMap((one) => ['--include', one])]
    const left = filesLeftOut(shop.warnings('deploy', 'app.js', ...args))
    const files = shop.list('out').filter((file) => /^files\/.*\.\w+$/.test(file))
    return { files, left }
  }
  const content = ['files/intro.ts', 'files/web/hls/intro.ts', 'files/web/index.html']
  const stub = 'files/shared/price.ts'

  const all = deployed()
  const rest = all.files.filter((file) => file !== 'files/package.json')
  assert.deepEqual(rest, [content[0], stub, ...content.slice(1)])
  assert.deepEqual([...all.left.keys()], ['shared/deep/types.ts', 'shared/types.ts'])
  for (const message of all.left.values()) assert.match(message, /TypeScript.*`--include shared/)

  const named = ['shared/deep', 'shared/price.ts', 'shared/types.ts', 'whole']
  const chosen = deployed(...named)
  for (const file of ['shared/deep/types.ts', 'shared/types.ts', 'whole/src/index.ts'])
    assert.ok(chosen.files.includes(`files/${file}`), file)
  assert.equal(shop.read(`out/${stub}`), shop.read('shared/price.ts'))
  assert.deepEqual([...chosen.left], [])

  const again = ['.', 'app.js'].flatMap((one) => deployed(one).files)
  assert.ok(again.includes('files/whole/src/index.ts'))
  assert.deepEqual(
    deployed('.').files.filter((file) => file.startsWith('files/out/')),
    [],
  )

  const missing = shop.framework('deploy', 'app.js', '--target', 'node', '--include', 'none.ts')
  assert.equal(missing.status, 1)
  assert.match(
    missing.stderr,
    /^none\.ts {2}AOT_FILE_NOT_FOUND\nThere is no "none\.ts" to include/m,
  )
})
