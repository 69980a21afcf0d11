/** The recipes of docs/guide/platforms.md, run as they are written. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serveConfig } from '../support/workerd.ts'
import { startWrangler } from '../support/wrangler.ts'
import { bunBinary, denoBinary } from '../targets/installed.ts'
import { startServer } from '../support/start-server.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, runCurl, stepsInWorkshop } from './tour.ts'
import { runsAll } from '../support/runs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/guide/platforms.md'), 'utf8')

/** A server that runs a deployment. */
interface Running {
  readonly port: number
  stop(): Promise<unknown>
}

const shop = createWorkshop({ after }, 'cli/empty')
for (const { info, text } of [...blocksOf(page, 'js'), ...blocksOf(page, 'text')])
  shop.write(info, text)

/** Starts what the second command of a section says. */
const starts: Readonly<Record<string, (command: string) => Promise<Running>>> = {
  'Cloudflare Workers': (command) => {
    assert.equal(command, 'npx workerd serve .framework/deploy/workerd/config.capnp')
    return serveConfig(join(shop.folder, '.framework/deploy/workerd'), 'config.capnp')
  },
  Deno: (command) => startServer(denoBinary(), command.split(' ').slice(1), { cwd: shop.folder }),
  Bun: (command) => startServer(bunBinary(), command.split(' ').slice(1), { cwd: shop.folder }),
}

/** The other binaries are installed on demand, which takes a while. */
const titles = Object.keys(starts).filter((title) => runsAll || title === 'Cloudflare Workers')

/** The other way that a section shows to start a deployment, in a block of commands. */
const otherStarts: typeof starts = {
  'Cloudflare Workers': (command) => startWrangler(shop.folder, command.split(' ').slice(2)),
}

for (const title of titles) {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
  test(`${title}: the recipe does what it shows`, async () => {
    const [deploy, start, ...questions] = stepsInWorkshop(section)
    shop.succeed(...(deploy?.command ?? '').split(' ').slice(2))
    assert.equal(questions.length, 2)
    const ask = async (running: Promise<Running> | undefined): Promise<void> => {
      assert.ok(running, title)
      const { port, stop } = await running
      try {
        for (const { command, output } of questions)
          assert.equal((await runCurl(command, port)).trimEnd(), output, command)
      } finally {
        await stop()
      }
    }
    await ask(starts[title]?.(start?.command ?? ''))
    const other = otherStarts[title]
    if (other === undefined || !runsAll) return
    const [command = ''] = /^npx wrangler dev .*$/m.exec(section) ?? []
    await ask(other(command))
  })
}
