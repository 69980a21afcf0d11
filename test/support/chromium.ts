/** Starts the real Chromium, headless. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, launch } from 'puppeteer-core'
import { type Lasting } from './folders.ts'

/** Runs for as long as `t` lasts. */
export async function startChromium(t: Lasting): Promise<Browser> {
  const browser = await launch({
    executablePath: findChromium(),
    headless: true,
    // Its sandbox doesn't work for root, and the pages are trusted. Containers have little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars'],
  })
  t.after(() => browser.close())
  return browser
}

/** @throws if it isn't installed: a test that needs it fails rather than skipping it */
function findChromium(): string {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM) return CHROMIUM
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const files = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const found = files.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new Error(
    'This test needs Chromium: install it (`apt-get install chromium`), or name its program in the variable CHROMIUM.',
  )
}
