/** Rules see the hooks of the examples as the real Fastify runs them. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../support/root.ts'
import { assertRulesSeeHooks } from '../../support/rules-of-hooks.ts'
import { createWorkshop } from '../../support/workshop.ts'

for (const [example, hooks] of Object.entries({ authentication: 2, autoload: 0, upload: 1 }))
  test(`examples/${example}`, async (t) => {
    const shop = createWorkshop(t, 'cli/empty')
    cpSync(join(root, 'examples', example), shop.folder, {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
    shop.install('@fastify')
    assert.equal(await assertRulesSeeHooks(shop.folder, 'app.js'), hooks)
  })
