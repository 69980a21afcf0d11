/**
 * The page of `framework report` in Chromium, from a file, as somebody uses it: wide and narrow, in the light and in
 * the dark, by mouse and by keyboard.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'puppeteer-core'
import { startChromium } from '../support/chromium.ts'
import { type Lasting, temporaryFolder } from '../support/folders.ts'
import { hostileApplication } from '../support/hostile-application.ts'
import { largeApplication } from '../support/large-application.ts'
import { createWorkshop } from '../support/workshop.ts'
import { runCommand } from '../support/command-runs.ts'
import { root } from '../support/root.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const entries: Readonly<Record<string, string>> = {
  bookshop: 'app.ts',
  museum: 'src/server.ts',
  clinic: 'server.js',
  harbour: 'apps/api/src/main.ts',
  plugins: 'app.ts',
  'post-office': 'app.ts',
  railway: 'src/app.ts',
}

/** In the page: how often something has begun to move. */
declare let moved: number

const pages = new Map<string, string>()
let browser: Browser

/** Clean-up after the last test: a hook's own `after` would run at the end of the hook. */
const ends: (() => void | Promise<void>)[] = []
const lasting: Lasting = { after: (end) => void ends.push(end) }
const folder = temporaryFolder(lasting)

after(async () => {
  for (const end of ends) await end()
})

before(async () => {
  browser = await startChromium(lasting)
  for (const [name, entry] of Object.entries(entries)) {
    const file = join(folder, `${name}.html`)
    const source = join(root, 'fixtures/apps', name, entry)
    const args = ['report', source, '--allow-dynamic', '--out', file]
    const { status, stderr } = runCommand(root, args)
    assert.equal(status, 0, stderr)
    pages.set(name, file)
  }
  for (const [name, source] of Object.entries({
    large: largeApplication(300),
    hostile: hostileApplication,
  })) {
    const shop = createWorkshop(lasting, 'cli/empty')
    shop.writeApp(source)
    shop.succeed('report', 'app.js', '--allow-dynamic')
    pages.set(name, join(shop.folder, '.framework/report.html'))
  }
})

interface View {
  readonly name: string
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly hash?: string
  readonly motion?: 'reduce' | 'no-preference'
}

/** Opens a page of a report. Any request and any console message of the page fails the test. */
async function open(
  t: { after(end: () => Promise<void>): void },
  { name, width = 1280, scheme = 'light', hash = '', motion = 'reduce' }: View,
): Promise<Page> {
  const page = await browser.newPage()
  const complaints: string[] = []
  const url = pathToFileURL(pages.get(name) as string).href
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) complaints.push(request.url())
  })
  t.after(async () => {
    await page.close()
    assert.deepEqual(complaints, [])
  })
  const isNarrow = width < 600
  await page.setViewport({ width, height: 900, isMobile: isNarrow, hasTouch: isNarrow })
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: motion },
  ])
  await page.evaluateOnNewDocument(() => {
    moved = 0
    addEventListener('transitionrun', () => (moved += 1), true)
    addEventListener('animationstart', () => (moved += 1), true)
  })
  await page.goto(`${url}${hash}`)
  return page
}

function seen(page: Page, selector: string): Promise<string[]> {
  return page.$$eval(selector, (found) =>
    found
      .filter((one) => one.checkVisibility())
      .map((one) => (one.textContent ?? '').replaceAll(/\s+/g, ' ').trim()),
  )
}

for (const width of [1280, 390]) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${width} pixels wide, in the ${scheme}: fits, draws, and is accessible`, async (t) => {
      for (const name of pages.keys()) {
        const page = await open(t, { name, width, scheme })
        const [whole, shown] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          return [scrollWidth, clientWidth] as const
        })
        assert.ok(whole <= shown, `${name}: ${whole} pixels in ${shown}`)
        const cards = await page.$$eval('.card', (all) =>
          all
            .filter((one) => one.checkVisibility())
            .map((one) => {
              const { left, right, top, bottom } = one.getBoundingClientRect()
              return { left, right, top, bottom }
            }),
        )
        assert.ok(cards.length > 0)
        for (const [i, one] of cards.entries()) {
          assert.ok(one.left >= 0 && one.right <= shown, name)
          for (const other of cards.slice(i + 1)) {
            const isApart = one.right <= other.left || other.right <= one.left
            assert.ok(isApart || one.bottom <= other.top || other.bottom <= one.top, name)
          }
        }
        await page.evaluate(axe)
        const violations = await page.evaluate(async () => {
          const { axe } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
          }
          const found = await axe.run()
          return found.violations.map(({ id, nodes }) => [
            id,
            ...nodes.slice(0, 3).map((one) => one.html),
          ])
        })
        assert.deepEqual(violations, [], name)
      }
    })
  }
}

test('nothing moves before a group is enlarged, and nothing at all with reduced motion', async (t) => {
  for (const motion of ['no-preference', 'reduce'] as const) {
    const page = await open(t, { name: 'museum', motion })
    // After two frames, animations have started.
    const movements = (): Promise<number> =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved)))
          }),
      )
    assert.equal(await movements(), 0, motion)
    await page.setViewport({ width: 1000, height: 900 })
    assert.equal(await movements(), 0, motion)
    await page.click('.group > button')
    assert.equal((await movements()) > 0, motion === 'no-preference', motion)
  }
})

test('contexts fold, unfold and are chosen, by mouse and by keyboard', async (t) => {
  const page = await open(t, { name: 'museum' })
  const count = async (): Promise<number> => (await seen(page, '.card')).length
  const chosen = (): Promise<string> => page.$eval('article.chosen', (one) => one.id)
  const all = (await page.$$('article.context')).length
  await page.click('[data-fold=all]')
  assert.equal(await count(), 1)
  await page.click('.tree > li > details > summary')
  const folded = await count()
  assert.ok(folded > 1 && folded < all, `${folded} of ${all}`)
  await page.click('[data-fold=none]')
  assert.equal(await count(), all)
  await page.click('.card[href="#c2"]')
  assert.equal(await chosen(), 'c2')
  assert.equal(await page.$eval('.card[aria-current]', (one) => one.getAttribute('href')), '#c2')

  await page.focus('.card[href="#c0"]')
  await page.keyboard.press('Enter')
  assert.equal(await chosen(), 'c0')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await count(), 1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  assert.equal(await chosen(), 'c1')
})

test('searching shows everything that contains all words, and its place in the tree', async (t) => {
  const page = await open(t, { name: 'bookshop' })
  const all = (await seen(page, '.card')).length
  await page.keyboard.press('/')
  await page.keyboard.type('patch ISBN')
  const routes = await seen(page, '.route > summary')
  assert.ok(routes.length > 0)
  for (const route of routes) assert.match(route, /^PATCH .*isbn/)
  const [found = ''] = await seen(page, 'output')
  assert.match(found, /^\d+ found$/)
  const marked = await seen(page, '.card:not(.missed) .name b')
  assert.ok(marked.length > 0 && marked.length < 5, marked.join())
  // The rest of the tree leads to the matches.
  const ways = (await seen(page, '.card')).length
  assert.ok(ways > marked.length && ways < 6, `${ways} of ${all}`)
  await page.keyboard.press('Escape')
  assert.deepEqual(await seen(page, 'output'), [''])
  assert.equal((await seen(page, '.card')).length, all)
  await page.keyboard.type('no such thing')
  assert.deepEqual(await seen(page, '.route > summary'), [])
  assert.deepEqual(await seen(page, 'output'), ['nothing found'])
})

test('searching finds folded contexts, and functions behind the first ones', async (t) => {
  const page = await open(t, { name: 'large' })
  await page.click('[data-fold=all]')
  const [last] = (
    await page.$$eval('.context .url', (all) => all.map((one) => one.textContent ?? ''))
  ).slice(-1)
  await page.type('#search', last as string)
  assert.ok((await seen(page, '.route .url')).includes(last as string))
  assert.ok((await seen(page, '.card:not(.missed)')).length > 0)
})

test('links choose contexts, open schemas and functions, and lead from the picture to the entry', async (t) => {
  const page = await open(t, { name: 'bookshop', hash: '#c2' })
  assert.equal(await page.$eval('article.chosen', (one) => one.id), 'c2')
  await page.click('.graph a')
  const target = await page.$eval('.graph a', (one) => one.getAttribute('href') ?? '')
  await page.waitForSelector(`${target}[open]`)
  await page.hover('.graph a')
  assert.ok((await page.$$('.graph.marking .near')).length > 1)
  await page.click('.area')
  const area = await page.$eval('.area', (one) => one.getAttribute('href') ?? '')
  await page.waitForSelector(`${area}[open]`)
})

test('a group of the treemap fills the picture, until it is pressed again', async (t) => {
  const page = await open(t, { name: 'bookshop' })
  const widths = async (): Promise<readonly [number, number]> => [
    await page.$eval('.treemap', (one) => one.clientWidth),
    await page.$eval('.group', (one) => one.getBoundingClientRect().width),
  ]
  const [whole, before] = await widths()
  assert.ok(before < whole)
  await page.click('.group > button')
  assert.deepEqual(await widths(), [whole, whole])
  await page.keyboard.press('Enter')
  assert.deepEqual(await widths(), [whole, before])
})

test('on a phone, the selection is scrolled into view, and a link leads back', async (t) => {
  const page = await open(t, { name: 'bookshop', width: 390 })
  await page.tap('.card[href="#c3"]')
  const isSeen = (selector: string): Promise<boolean> =>
    page.$eval(selector, (one) => {
      const { top } = one.getBoundingClientRect()
      return top >= 0 && top < innerHeight
    })
  assert.ok(await isSeen('#c3'))
  await page.tap('#c3 .back')
  assert.ok(await isSeen('#contexts h2'))
})

test('names that are HTML stay names', async (t) => {
  const page = await open(t, { name: 'hostile' })
  assert.equal(await page.evaluate(() => 'harmed' in globalThis), false)
  assert.equal((await page.$$('img')).length, 0)
  assert.ok((await seen(page, '.card b')).join().includes('</script><script>'))
})
