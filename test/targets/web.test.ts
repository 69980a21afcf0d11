/** Applications that are deployed to the web answer as on Fastify 4.21: in Chromium too in `npm run test:all`. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { parse } from 'acorn'
import type { Program } from 'estree'
import type { Browser, Page } from 'puppeteer-core'
import { hasTopLevelAwait } from '../../compiler/deploy/bundle/syntax-tree.ts'
import { testByFetch } from '../parity/by-fetch.ts'
import { startChromium } from '../support/chromium.ts'
import { openBare } from '../support/web/bare.ts'
import { appNamed, deploymentOf } from '../support/engines.ts'
import { canBeAsked, webEngine, type Place } from '../support/web/engine.ts'
import { webDifferences } from './known-differences.ts'
import { testedInPages, refusedOnWeb } from './rows.ts'
import { runsAll } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'
import type { JournalEntry } from '../support/app-process.ts'
import type { PlainAnswer, PlainRequest } from '../support/web/ask.ts'
import { serveFiles } from '../support/web/server.ts'

/** The result that the script of the page leaves behind. */
interface Left {
  readonly asked: (request: PlainRequest) => Promise<PlainAnswer>
  readonly journal: () => Promise<JournalEntry[]>
  readonly close: () => Promise<JournalEntry[]>
  readonly evaluates: boolean
}

const SCRIPT = `import application from '/index.js'
import { ask, evaluates } from '/ask.js'

const app = await application.ready()
window.left = {
  asked: (request) => ask(application.fetch, request),
  journal: async () => app.journal ?? [],
  close: async () => (await app.close(), app.journal ?? []),
  evaluates: evaluates(),
}
`

const FILES = { '/': '<script type="module" src="/page.js"></script>', '/page.js': SCRIPT }

/** Gives each deployment a page of its own. */
function pagesOf(browser: Browser): (folder: string) => Promise<Place> {
  return async (folder) => {
    const server = await serveFiles(folder, FILES)
    const page = await browser.newPage()
    const left = await open(page, server.origin)
    return {
      ask: (request) => left('asked', request),
      journal: () => left('journal'),
      async close() {
        const journal = await left<JournalEntry[]>('close')
        await page.close()
        server.close()
        return journal
      },
    }
  }
}

type Call = <T>(name: keyof Left, argument?: unknown) => Promise<T>

async function open(page: Page, origin: string): Promise<Call> {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(origin)
  const isThere = page.waitForFunction('window.left')
  await isThere.catch((error: unknown) => {
    throw new Error(`The page does not start: ${problems.join('\n')}`, { cause: error })
  })
  if (await page.evaluate('window.left.evaluates'))
    throw new Error('The page makes code of strings')
  return (name, argument) =>
    page.evaluate(
      (name, argument) =>
        (globalThis as unknown as { left: Record<string, (given: unknown) => never> }).left[name]?.(
          argument,
        ) as never,
      name,
      argument,
    )
}

// Before there is a test: the hooks of the file run once those that there are have ended. The machine that runs all other tests
// may have no Chromium.
const browser = runsAll ? await startChromium({ after }) : undefined

const bare = webEngine('deployed-web-bare', openBare)

testByFetch(bare, 'plugin-entry', webDifferences, { expected: 110, canSend: canBeAsked })

/** Asks the deployment in `out` for `/`. */
async function answerOf(folder: string): Promise<string> {
  const place = await openBare(join(folder, 'out'))
  try {
    const question = { url: 'http://shop.test/', method: 'GET', headers: [], body: null }
    return (await place.ask(question)).body
  } finally {
    await place.close()
  }
}

test('an entry with a top-level await becomes a module without one, as service workers need it', async () => {
  const shop = createWorkshop({ after }, 'deploy/worker')
  shop.succeed('deploy', 'awaits.js', '--target', 'web', '--out', 'out')
  const code = shop.read('out/index.js')
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  assert.equal(hasTopLevelAwait(program as Program), false)
  assert.equal(await answerOf(shop.folder), '{"number":36}')
})

test('`NODE_ENV` is production, as on other platforms', async () => {
  const shop = createWorkshop({ after }, 'cli/empty').writeApp(`import framework from 'framework/5'
export const app = framework()
app.get('/', async () => String(process.env.NODE_ENV))
`)
  shop.succeed('deploy', 'app.js', '--target', 'web', '--out', 'out')
  assert.equal(await answerOf(shop.folder), 'production')
})

test('a boot that fails is tried again by the next request', async () => {
  const shop = createWorkshop({ after }, 'deploy/worker')
  shop.succeed('deploy', 'fails-once.js', '--target', 'web', '--out', 'out')
  const deployed = (await import(pathToFileURL(join(shop.folder, 'out/index.js')).href)) as {
    default: { fetch(request: Request): Promise<Response> }
  }
  const ask = (): Promise<Response> => deployed.default.fetch(new Request('http://shop.test/'))
  // The first boot starts with the import, and may have failed by then.
  await ask().catch(({ message }) => assert.equal(message, 'The database is away'))
  assert.deepEqual(await (await ask()).json(), { boots: 2 })
})

if (browser !== undefined) {
  for (const [name, way] of Object.entries(refusedOnWeb)) {
    test(`${name}: it isn't deployed to the web, and the error shows the import path of the missing module`, () =>
      assert.rejects(deploymentOf(appNamed(name), 'web'), way))
  }
  const pages = webEngine('deployed-web', pagesOf(browser))
  for (const [name, expected] of Object.entries(testedInPages)) {
    const sample = { expected, canSend: canBeAsked, withoutHeaders: ['set-cookie'] }
    testByFetch(pages, name, webDifferences, sample)
  }
}
