/** The recipes of docs/guide/web.md, run as they are written: in Chromium too in `npm run test:all`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'puppeteer-core'
import { startChromium } from '../support/chromium.ts'
import { openBare } from '../support/web/bare.ts'
import { serveFiles } from '../support/web/server.ts'
import { createWorkshop } from '../support/workshop.ts'
import { blocksOf, stepsInWorkshop } from './tour.ts'
import { runsAll } from '../support/runs.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/guide/web.md'), 'utf8')
const [shown] = blocksOf(page, 'text').map(({ text }) => text.trim())

// Before there is a test: the hooks of the file run once those that there are have ended.
const browser = runsAll ? await startChromium({ after }) : undefined

const shop = createWorkshop({ after }, 'cli/empty')
for (const { info, text } of ['js', 'html'].flatMap((language) => blocksOf(page, language)))
  shop.write(info, text)
const [deploy] = stepsInWorkshop(page)
const { status, stderr } = shop.framework(...(deploy?.command ?? '').split(' ').slice(2))

if (browser !== undefined) {
  const direct = shop.read('index.html').replace('page.js', 'direct.js')
  const server = await serveFiles(shop.folder, {
    '/': shop.read('index.html'),
    '/direct.html': direct,
  })
  after(() => server.close())

  // From then on the service worker is there for all pages.
  for (const path of ['/direct.html', '/']) {
    test(`a page of Chromium shows what the page says: ${path}`, async () => {
      const opened = await browser.newPage()
      assert.equal(await textOf(opened, server.origin + path), shown)
      const workers = await opened.evaluate('navigator.serviceWorker.controller !== null')
      assert.equal(workers, path === '/')
      await opened.close()
    })
  }
}

test('the deployment answers without anything of Node', async () => {
  assert.equal(status, 0, stderr)
  const place = await openBare(join(shop.folder, '.framework/deploy/web'))
  try {
    const answer = await place.ask({
      url: 'http://shop.test/orders',
      method: 'POST',
      headers: [['content-type', 'application/json']],
      body: '{ "item": "Emma", "quantity": "2" }',
    })
    assert.equal(answer.body, shown)
  } finally {
    await place.close()
  }
})

/** Returns the text that the page shows. */
async function textOf(opened: Page, url: string): Promise<unknown> {
  const problems: string[] = []
  opened.on('pageerror', (error) => problems.push(String(error)))
  await opened.goto(url)
  const text = "document.querySelector('pre').textContent"
  await opened.waitForFunction(text, { timeout: 20_000 }).catch((cause: unknown) => {
    throw new Error(`The page shows nothing. ${problems.join('\n')}`, { cause })
  })
  return opened.evaluate(text)
}
