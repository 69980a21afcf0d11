/** Runs deployments in pages of the real Chromium. */
import type { Browser, Page } from 'puppeteer-core'
import type { JournalEntry } from '../app-process.ts'
import type { PlainAnswer, PlainRequest } from './ask.ts'
import type { Place } from './engine.ts'
import { serveFiles } from './server.ts'

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
export function pagesOf(browser: Browser): (folder: string) => Promise<Place> {
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
