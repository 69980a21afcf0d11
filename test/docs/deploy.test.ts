/** The recipe of docs/guide/deploy.md, run as it is written. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startFolder } from '../support/start-server.ts'
import type { Server } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsInWorkshop } from './tour.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const [page = ''] = readFileSync(join(root, 'docs/guide/deploy.md'), 'utf8').split(
  '\n## What comes along',
)

test('the recipe of docs/guide/deploy.md does what it shows', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  const elsewhere = mkdtempSync(join(tmpdir(), 'framework-elsewhere-'))
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
  const folder = join(elsewhere, 'shop')
  for (const { info, text } of [...blocksOf(page, 'js'), ...blocksOf(page, 'text')])
    shop.write(info, text)
  let server: Server | undefined
  t.after(() => server?.child.kill())
  let answers = 0
  for (const { command, output } of stepsInWorkshop(page)) {
    const words = command.split(' ')
    if (words[1] === 'framework') {
      shop.succeed(...words.slice(2))
    } else if (words[0] === 'mv') {
      assert.deepEqual(words.slice(1), ['.framework/deploy/node', '/srv/shop'])
      renameSync(join(shop.folder, words[1] as string), folder)
    } else if (words[0] === 'PORT=8080') {
      server = await startFolder(folder, elsewhere)
    } else {
      assert.equal(words[0], 'curl', command)
      assert.equal((await runCurl(command, server?.port ?? 0)).trimEnd(), output, command)
      answers++
    }
  }
  assert.equal(answers, 2)
})
