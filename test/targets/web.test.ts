/** Applications that are deployed to the web answer as on Fastify 4.21: in Chromium too in `npm run test:all`. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'acorn'
import type { Program } from 'estree'
import { hasTopLevelAwait } from '../../compiler/deploy/bundle/syntax-tree.ts'
import { testByFetch } from '../parity/by-fetch.ts'
import { startChromium } from '../support/chromium.ts'
import { openBare } from '../support/web/bare.ts'
import { appNamed, deploymentOf } from '../support/engines.ts'
import { canBeAsked, webEngine } from '../support/web/engine.ts'
import { pagesOf } from '../support/web/page.ts'
import { webDifferences } from './known-differences.ts'
import { askedInPages, refusedOnWeb } from './rows.ts'
import { runsAll } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'

// Before there is a test: the hooks of the file run once those that there are have ended. The machine that runs all other tests
// may have no Chromium.
const browser = runsAll ? await startChromium({ after }) : undefined

const bare = webEngine('deployed-web-bare', openBare)

testByFetch(bare, 'plugin-entry', webDifferences, { expected: 110, asks: canBeAsked })

test('an entry with a top-level await becomes a module without one, as service workers need it', async () => {
  const shop = createWorkshop({ after }, 'deploy/worker')
  shop.succeed('deploy', 'awaits.js', '--target', 'web', '--out', 'out')
  const code = shop.read('out/index.js')
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  assert.equal(hasTopLevelAwait(program as Program), false)
  const place = await openBare(join(shop.folder, 'out'))
  try {
    const question = { url: 'http://shop.test/', method: 'GET', headers: [], body: null }
    assert.equal((await place.ask(question)).body, '{"number":36}')
  } finally {
    await place.close()
  }
})

if (browser !== undefined) {
  for (const [name, way] of Object.entries(refusedOnWeb)) {
    test(`${name}: it isn't deployed to the web, and the error shows the import path of the missing module`, () =>
      assert.rejects(deploymentOf(appNamed(name), 'web'), way))
  }
  const pages = webEngine('deployed-web', pagesOf(browser))
  for (const [name, expected] of Object.entries(askedInPages)) {
    const sample = { expected, asks: canBeAsked, withoutHeaders: ['set-cookie'] }
    testByFetch(pages, name, webDifferences, sample)
  }
}
