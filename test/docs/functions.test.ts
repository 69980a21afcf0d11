/** The recipes of docs/guide/functions.md, run as they are written. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startFolder } from '../support/start-server.ts'
import type { Server } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsInWorkshop } from './tour.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/guide/functions.md'), 'utf8')

test('the recipes of docs/guide/functions.md do what they show', async (t) => {
  const shop = createWorkshop(t, 'cli/empty')
  for (const { info, text } of [...blocksOf(page, 'js'), ...blocksOf(page, 'json')])
    if (info !== '') shop.write(info, text)
  let server: Server | undefined
  t.after(() => server?.child.kill())
  let answers = 0
  for (const { command, output } of stepsInWorkshop(page)) {
    const words = command.split(' ')
    const file = words.at(-1) as string
    if (words[1] === 'framework') {
      shop.succeed(...words.slice(2))
    } else if (file === 'serve.js') {
      server = await startFolder(join(shop.folder, file), shop.folder)
    } else if (words[0] === 'node') {
      assert.equal(shop.node(...words.slice(1)).stdout.trimEnd(), output)
      answers++
    } else {
      assert.equal(words[0], 'curl', command)
      assert.equal((await runCurl(command, server?.port ?? 0)).trimEnd(), output, command)
      answers++
    }
  }
  assert.equal(answers, 2)
})
