/** The example of docs/guide/workers.md, run as it is written: built, and served by the real workerd. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serveConfig, type Workerd } from '../support/workerd.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsInWorkshop } from './tour.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/guide/workers.md'), 'utf8')

test('the example of docs/guide/workers.md does what it shows', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const { info, text } of [...blocksOf(page, 'js'), ...blocksOf(page, 'jsonc')])
    if (info !== '') shop.write(info, text)
  let workerd: Workerd | undefined
  t.after(() => workerd?.stop())
  let answers = 0
  for (const { command, output } of stepsInWorkshop(page)) {
    const words = command.split(' ')
    if (words[1] === 'framework') {
      shop.succeed(...words.slice(2))
    } else if (command === 'npx workerd serve wrangler.jsonc') {
      workerd = await serveConfig(shop.folder, 'wrangler.jsonc')
    } else {
      assert.equal(words[0], 'curl', command)
      assert.equal(await runCurl(command, workerd?.port ?? 0), output, command)
      answers++
    }
  }
  assert.equal(answers, 2)
})
