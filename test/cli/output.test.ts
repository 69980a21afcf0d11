/** Where the artifact goes. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createWorkshop, type Workshop } from '../support/workshop.ts'

const application = (maximum: number): string => `
import framework from 'framework'
const app = framework()
app.get('/', { schema: { querystring: { n: { type: 'integer', maximum: ${maximum} } } } }, () => 'found')
console.log((await app.inject('/?n=1')).body)
`

/** Builds and runs the command that the report shows. */
function buildAndStart(shop: Workshop, out: string): string {
  const { status, stdout, stderr } = shop.framework('build', 'app.js', '--out', out)
  assert.equal(status, 0, stderr)
  const [, preload = ''] = /node --import (.*) <app\.js>/.exec(stdout) ?? []
  assert.equal(shop.node('--import', preload.replaceAll("'", ''), 'app.js').stdout, 'found\n')
  return preload
}

test('the report shows how to start it, wherever it is written', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('app.js', application(5))
  const above = `../${shop.folder.split('/').at(-1)}/above`
  for (const [out, preload] of [
    ['.', './register.js'],
    ['.hidden/built', './.hidden/built/register.js'],
    ['with blanks', "'./with blanks/register.js'"],
    [above, './above/register.js'],
  ] as const) {
    assert.equal(buildAndStart(shop, out), preload)
  }
})

test('files of others in the folder stay', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('app.js', application(5))
  buildAndStart(shop, 'dist')
  const others = ['chunks/page.js', 'chunks/c-page.js', 'chunks/notes.txt']
  for (const file of others) shop.write(`dist/${file}`, 'mine')
  shop.write('app.js', application(6))
  buildAndStart(shop, 'dist')
  for (const file of others) assert.equal(shop.read(`dist/${file}`), 'mine')
})

test('a folder that cannot be one is a problem like others', (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  shop.write('app.js', application(5))
  shop.write('file', 'mine')
  for (const out of ['file', 'file/below/it']) {
    const { status, stderr } = shop.framework('build', 'app.js', '--out', out)
    assert.equal(status, 1)
    const [head = '', message = ''] = stderr.split('\n')
    assert.equal(head, `${out}  AOT_OUTPUT_NOT_WRITABLE`)
    assert.match(message, /"\S*\/file" is no folder\. Pass another folder with `--out`\.$/)
  }
  mkdirSync(join(shop.folder, 'taken/index.mjs'), { recursive: true })
  const { status, stderr } = shop.framework('build', 'app.js', '--out', 'taken')
  assert.equal(status, 1)
  assert.match(stderr, /^taken {2}AOT_OUTPUT_NOT_WRITABLE\n.*: EISDIR: /m)
  assert.equal(shop.read('file'), 'mine')
})
