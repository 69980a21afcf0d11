/** The commands on the page of each target of `framework deploy` have the output that it shows, from an empty folder. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary, bunBinary, denoBinary } from '../targets/installed.ts'
import { startChromium } from '../support/chromium.ts'
import { serveFiles } from '../support/web/server.ts'
import { recipes } from './environment.ts'
import { blocksOf } from './page.ts'
import { type Lasting } from '../support/folders.ts'

const web = new URL('../../../docs/guide/web.md', import.meta.url)
const [, , shown = ''] =
  blocksOf(readFileSync(fileURLToPath(web), 'utf8')).find(([language]) => language === 'text') ?? []

/** The page and the service worker of docs/guide/web.md, in Chromium. */
async function showsInChromium(t: Lasting, folder: string): Promise<void> {
  const browser = await startChromium(t)
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const server = await serveFiles(folder, {
    '/': page,
    '/direct.html': page.replace('page.js', 'direct.js'),
  })
  t.after(() => server.close())
  for (const path of ['/direct.html', '/']) {
    const opened = await browser.newPage()
    await opened.goto(server.origin + path)
    const text = "document.querySelector('pre').textContent"
    await opened.waitForFunction(text, { timeout: 20_000 })
    assert.equal(await opened.evaluate(text), shown.trim(), path)
    // From then on, the service worker serves all pages.
    const controlled = await opened.evaluate('navigator.serviceWorker.controller !== null')
    assert.equal(controlled, path === '/')
  }
}

await recipes([
  { page: 'docs/guide/deploy.md', section: 'Node', port: 8080 },
  {
    page: 'docs/guide/deploy.md',
    section: 'One executable file',
    port: 8080,
    program: () => nodeBinary('26'),
  },
  { page: 'docs/guide/functions.md', port: 8080 },
  { page: 'docs/guide/platforms.md', section: 'Cloudflare Workers', ownPort: 8787 },
  { page: 'docs/guide/platforms.md', section: 'Deno', program: denoBinary },
  { page: 'docs/guide/platforms.md', section: 'Bun', program: bunBinary },
  { page: 'docs/guide/workers.md', ownPort: 8787, program: () => nodeBinary('24') },
  { page: 'docs/guide/vite.md', section: 'On Workers', program: () => nodeBinary('24') },
  { page: 'docs/guide/web.md', shows: showsInChromium },
])
