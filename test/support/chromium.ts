/** The real Chromium, without a window: pages of files and of servers, as a visitor gets them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { launch } from 'puppeteer-core'

/** As systems call it; `CHROMIUM` names another one. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const MISSING =
  'This test needs Chromium: install it (`apt-get install chromium`), or name its program in the variable CHROMIUM.'

/** @throws when there is none: a test that needs it fails rather than passing over it */
export function findChromium(): string {
  const given = process.env['CHROMIUM']
  if (given !== undefined && given !== '') {
    if (isProgram(given)) return given
    throw new Error(`There is no program "${given}". ${MISSING}`)
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
  if (found === undefined) throw new Error(MISSING)
  return found
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

interface Lasting {
  after(end: () => void | Promise<void>): void
}

/** Runs for as long as `t` lasts. */
export async function startChromium(t: Lasting): Promise<Browser> {
  const browser = await launch({
    executablePath: findChromium(),
    headless: true,
    // Its sandbox is for other users than root, and what it loads here is ours. Containers have little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars'],
  })
  t.after(() => browser.close())
  return browser
}
