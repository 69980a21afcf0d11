/** Workers that can't start say why: an old compatibility date, or transports of the logger, which need threads. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { root } from '../support/root.ts'
import { serveConfig } from '../support/workerd.ts'
import { createWorkshop } from '../support/workshop.ts'

/** The first compatibility dates with which Workers start. */
const [first, firstWithLogger] = ['2025-09-15', '2026-03-17']

describe('a Worker', () => {
  const shop = createWorkshop({ after }, 'cli/empty').writeApp(`import framework from 'framework/5'
const isProduction = process.env.NODE_ENV === 'production'
const logger = isProduction ? true : { transport: { target: 'pino-pretty' } }
export const app = framework({ logger: process.env.LOGGER === 'no' ? false : logger })
app.get('/', async () => process.env.NODE_ENV)
`)
  const out = join(shop.folder, 'out')
  before(() => void shop.succeed('deploy', 'app.js', '--target', 'workerd', '--out', 'out'))

  async function answer(date: string, variables = {}, flags?: string): Promise<string> {
    const bindings = Object.entries(variables).map(
      ([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`,
    )
    const config = readFileSync(join(out, 'config.capnp'), 'utf8')
      .replace(/(?<=compatibilityDate = )"[^"]+"/, JSON.stringify(date))
      .replace(/(?<=compatibilityFlags = )\[.*\]/, flags ?? '$&')
      .replace('bindings = [', `$&${bindings.join()}`)
    writeFileSync(join(out, 'probe.capnp'), config)
    const worker = await serveConfig(out, 'probe.capnp')
    try {
      return await (await fetch(`http://127.0.0.1:${worker.port}/`)).text()
    } finally {
      await worker.stop()
    }
  }

  test('needs the dates that the page names', () => {
    const page = readFileSync(join(root, 'docs/guide/workers.md'), 'utf8')
    assert.ok(page.includes(`needs ${first} or later, and with a \`logger\` ${firstWithLogger}`))
  })

  test('is in production, unless the platform sets `NODE_ENV`', async () => {
    assert.equal(await answer(firstWithLogger), 'production')
    const variables = { NODE_ENV: 'staging', LOGGER: 'no' }
    assert.equal(await answer(first, variables), 'staging')
  })

  const refusals: Readonly<Record<string, readonly [RegExp, ...Parameters<typeof answer>]>> = {
    'a date without the modules of Node': [
      /FST_ERR_DEPLOY_COMPATIBILITY_DATE.* 2025-09-15 or later/,
      '2025-09-14',
    ],
    'no modules of Node': [
      /FST_ERR_DEPLOY_COMPATIBILITY_DATE.* `nodejs_compat`/,
      '2026-03-17',
      {},
      '[]',
    ],
    'a date without threads, which the logger requires': [
      /`logger` needs a `compatibility_date` of 2026-03-17/,
      '2026-03-16',
    ],
    'a transport of the logger': [
      /Transports of the logger run in threads/,
      '2026-03-17',
      { NODE_ENV: 'development' },
    ],
  }
  for (const [what, [message, ...args]] of Object.entries(refusals)) {
    test(`refuses ${what}`, () => assert.rejects(answer(...args), message))
  }
})
