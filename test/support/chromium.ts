/** The real Chromium, without a window: pages of files and of servers, as a visitor gets them. */
import { type Browser, launch } from 'puppeteer-core'
import { findProgram } from './programs.ts'
import { type Lasting } from './folders.ts'

/** @throws if it isn't installed */
export function findChromium(): string {
  return findProgram({
    title: 'Chromium',
    names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    variable: 'CHROMIUM',
    debian: 'chromium',
  })
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
