/** An application under `vite dev`, as somebody changes it: its answers, and what a browser shows. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChromium } from '../../support/chromium.ts'
import type { Lasting } from '../../support/folders.ts'
import { startServer, type Server } from '../../support/start-server.ts'
import type { Workshop } from '../../support/workshop.ts'

export const files: Readonly<Record<string, string>> = {
  'app.js': `import framework from 'framework/5'
import { limit } from './limit.js'

const least = 1
export default function shop(options) {
  const app = framework(options)
  const quantity = { type: 'integer', minimum: least, maximum: limit }
  const body = { type: 'object', required: ['item'], properties: { item: { type: 'string' }, quantity } }
  app.post('/orders', { schema: { body } }, async (request) => request.body)
  app.get('/page', async (request, reply) => reply.type('text/html').send('<h1>Orders</h1>'))
  return app
}
`,
  'limit.js': 'export const limit = 5\n',
}

/** @param args the program and its arguments */
export async function startVite(
  t: Lasting,
  folder: string,
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Server> {
  const server = await startServer(node, [...args, '--host', '127.0.0.1', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'development', NO_COLOR: '1', ...env },
    pattern: /Local:\s+http:\/\/127\.0\.0\.1:(\d+)/,
    detached: true,
  })
  t.after(async () => void (await server.stop()))
  return server
}

export async function order({ port }: Pick<Server, 'port'>, body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  return (await fetch(`http://127.0.0.1:${port}/orders`, init)).text()
}

/**
 * Changes the application: a module, a mistake, and its correction.
 *
 * @param look returns what a browser gets at a URL
 */
export async function changeApplication(
  shop: Workshop,
  vite: Server,
  look: (url: string) => Promise<string>,
): Promise<void> {
  const many = { item: 'Emma', quantity: '9' }
  assert.match(await order(vite, many), /body\/quantity must be <= 5/)
  assert.equal(await order(vite, { item: 'Emma', quantity: '2' }), '{"item":"Emma","quantity":2}')

  shop.edit('limit.js', '5', '7')
  await until(vite, async () => (await order(vite, many)).includes('must be <= 7'))

  shop.edit('app.js', "item: { type: 'string' }", "item: { $ref: 'item#' }")
  await until(vite, async () => (await order(vite, many)).includes('AOT_REF_UNRESOLVED'))
  const shown = await look(`http://127.0.0.1:${vite.port}/page`)
  for (const part of [
    /AOT_REF_UNRESOLVED: .*item#.* does not exist/,
    /app\.js/,
    /> +8 \|   const body = /,
  ])
    assert.match(shown, part)

  shop.edit('app.js', "item: { $ref: 'item#' }", "item: { type: 'string' }")
  await until(vite, async () => (await order(vite, many)).includes('must be <= 7'))
}

/** Waits up to half a minute. */
export async function until({ output }: Server, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await isDone())) {
    assert.ok(Date.now() < end, output())
    await sleep(50)
  }
}

/** Creates a function that returns the text of Vite's error overlay in Chromium. */
export function overlayIn(t: Lasting): (url: string) => Promise<string> {
  return async (url) => {
    const page = await (await startChromium(t)).newPage()
    await page.goto(url)
    const overlay = await page.waitForSelector('vite-error-overlay')
    return (await overlay?.evaluate((one) => one.shadowRoot?.textContent ?? '')) ?? ''
  }
}
