/** `framework deploy --analyze` measures the start of a deployment, and shows the modules in it. */
import assert from 'node:assert/strict'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createAttribution, type Profile } from '../../compiler/deploy/analysis/attribution.ts'
import type { Deployment } from '../../compiler/deploy/index.ts'
import { createWorkshop } from '../support/workshop.ts'

/** Work for about a tenth of a second, all in its own function. */
const slow = `let sum = 0
for (let i = 0; i < 1e8; i++) sum = (sum * 31 + i) | 0
export const slow = \`<slow> & "odd": \${sum}\`
`

test('the time of a slow package is listed under its name, and the page has every module', (t) => {
  const shop = createWorkshop(t, 'dev', {
    'node_modules/slow/package.json': '{ "name": "slow", "type": "module", "main": "i.js" }',
    'node_modules/slow/i.js': slow,
    'note.js': "import { slow } from 'slow'\nexport const note = `${slow}!`\n",
  })
  symlinkSync('.', join(shop.folder, 'linked'))
  const deploy = ['deploy', 'app.js', '--target', 'node', '--out', 'linked/out', '--analyze']
  const { analysis } = shop.result<Deployment>(...deploy)
  const { costs = [], page = '' } = analysis ?? {}
  const of = (name: string): number => costs.find((one) => one.name === name)?.ms ?? 0
  assert.ok(of('framework') > 0)
  assert.ok(of('slow') > 5 * of(''), JSON.stringify(costs))

  assert.equal(page, 'linked/out.html')
  const html = shop.read(page)
  for (const name of [
    'app.js',
    'note.js',
    'node_modules/slow/i.js',
    'Time of a start',
    'the application',
  ]) {
    assert.match(html, new RegExp(name.replaceAll('.', '\\.')))
  }
  assert.doesNotMatch(html, /<script (?!>)|https?:|NaN|undefined/)
  assert.equal(html.split('<script').length, 2)
  // Rectangles that lie in the picture, or in that of their group.
  const rectangles = [
    ...html.matchAll(/style="left:([\d.]+)%;top:([\d.]+)%;width:([\d.]+)%;height:([\d.]+)%"/g),
  ]
  assert.ok(rectangles.length > 10)
  for (const [, left, top, width, height] of rectangles) {
    assert.ok(Number(left) + Number(width) <= 100.01 && Number(top) + Number(height) <= 100.01)
  }

  shop.write(
    'note.js',
    "if (process.env.PORT === '0') throw new Error('not today')\nexport const note = 'two'\n",
  )
  const failed = shop.fail(...deploy)
  assert.match(failed, /AOT_START_FAILS[\s\S]*not today/)
  assert.equal(shop.read(page), html)
  assert.ok(existsSync(join(shop.folder, 'out/index.js')))
  shop.write('note.js', "export const note = 'three'\n")
  shop.write(page, 'a page of the user')
  assert.match(shop.fail(...deploy), /AOT_OUTPUT_NOT_OURS\D+out\.html/)
  assert.equal(shop.read(page), 'a page of the user')
})

test("the code that ends the measured process isn't counted as a cost of the start", () => {
  const ending = new URL('../../compiler/deploy/start/when-listening.cjs', import.meta.url)
  assert.ok(existsSync(ending))
  const node = (url: string): object => ({
    id: 1,
    callFrame: { functionName: '', url },
    positionTicks: [{ line: 1, ticks: 1 }],
  })
  const application = pathToFileURL('/srv/shop/node_modules/slow/i.js').href
  const profile = {
    nodes: [node(ending.href), node(application)],
    samples: [1, 1],
    timeDeltas: [1000, 1000],
  } as unknown as Profile
  assert.deepEqual([...createAttribution('/srv/shop')([profile])], [['slow', 1]])
})
