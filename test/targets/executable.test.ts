/** The recipe of docs/deploy.md for one executable file, as it stands there, with Node 26: `npm run test:targets`. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { blocksOf } from '../docs/tour.ts'
import { nodeBinary } from '../nodes/install.ts'
import { createWorkshop } from '../support/workshop.ts'

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/deploy.md', import.meta.url)),
  'utf8',
)

/** The commands of the recipe. */
function commands(): string[] {
  const section = page.split('## One executable file')[1] as string
  return [...section.matchAll(/^ {4}(\S.*)$/gm)].map(([, command]) => command as string).slice(0, 3)
}

if (process.env['TARGETS'] === 'all') {
  test('an executable file serves the application, alone in a folder', async (t) => {
    const shop = createWorkshop(t, 'cli/empty')
    const elsewhere = mkdtempSync(join(tmpdir(), 'framework-executable-'))
    t.after(() => rmSync(elsewhere, { recursive: true, force: true }))
    for (const block of ['js', 'text', 'json'].flatMap((info) => blocksOf(page, info))) {
      if (block.info !== '') shop.write(block.info, block.text)
    }
    // It reads a file, which the executable does not hold.
    shop.edit(
      'app.js',
      "readFileSync(new URL('terms.txt', import.meta.url), 'utf8')",
      "'Pay first.'",
    )
    const [deploy = '', build = '', start = ''] = commands()
    const deployed = shop.framework(...deploy.split(' ').slice(2))
    assert.equal(deployed.status, 0, deployed.stderr)
    const made = spawnSync(nodeBinary('26'), build.split(' ').slice(1), {
      cwd: shop.folder,
      encoding: 'utf8',
    })
    assert.equal(made.status, 0, made.stderr)
    assert.equal(start, 'PORT=8080 ./shop')
    renameSync(join(shop.folder, 'shop'), join(elsewhere, 'shop'))
    const child = spawn('./shop', [], {
      cwd: elsewhere,
      env: { PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill())
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const [, port] = /:(\d+)\n$/.exec(line.toString()) ?? []
    const answer = await fetch(`http://127.0.0.1:${port}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "item": "Emma", "quantity": "2" }',
    })
    assert.equal(await answer.text(), '{"item":"Emma","quantity":2}')
  })
}
