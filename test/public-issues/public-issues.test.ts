/** Defects from the public trackers of Fastify and its packages, tried on Fastify 4.21 and on an artifact, where code generation is refused. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Engine } from '../security/engine.ts'
import { buildAll } from './artifacts.ts'
import { loadIssues } from './issue.ts'

const child = fileURLToPath(new URL('child.js', import.meta.url))
const issues = await loadIssues()
const fastify = new Engine(['fastify'], child)
let framework: Engine

before(async () => {
  const files = JSON.stringify(await buildAll(issues))
  framework = new Engine(['framework', files], child, ['--disallow-code-generation-from-strings'])
})

after(() => {
  for (const engine of [fastify, framework]) engine.stop()
})

for (const [index, { issue, what, right }] of issues.entries()) {
  test(`${issue}: ${what}`, async () => {
    const ours = await framework.attack(index)
    assert.deepEqual(ours, right ?? (await fastify.attack(index)))
  })
}
