/** Defects from the public trackers of Fastify and its packages, tried on Fastify 4.21 and on an artifact, where code generation is refused. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Engine } from '../security/engine.ts'
import { buildAll } from './artifacts.ts'
import { issues } from './issue.ts'

const cases = new URL('issue.js', import.meta.url).href
/** `UPDATE=1 npm test -- public-issues` writes it. */
const list = fileURLToPath(new URL('../../../test/public-issues/README.md', import.meta.url))
const fastify = new Engine(['fastify', cases])
let framework: Engine

before(async () => {
  const files = JSON.stringify(await buildAll())
  const flags = ['--disallow-code-generation-from-strings']
  framework = new Engine(['framework', cases, files], flags)
})

after(() => {
  for (const engine of [fastify, framework]) engine.stop()
})

test('README.md lists the issues with their verdicts', () => {
  const rows = issues.map(({ issue, what, right }) => {
    const address = `https://github.com/${issue.replace('#', '/issues/')}`
    const verdict = right === undefined ? 'kept as on 4.21, by decision' : 'right'
    return `- [${issue}](${address}): ${what} (${verdict})`
  })
  const text = `# Public issues

Defects from the public trackers of Fastify and its packages. The tests in this folder try each of them with compiled schemas: it's right here,
or the same as on Fastify 4.21.0. None is open.

${rows.join('\n')}
`
  if (process.env.UPDATE) writeFileSync(list, text)
  assert.equal(readFileSync(list, 'utf8'), text)
})

for (const [index, { issue, what, right }] of issues.entries()) {
  test(`${issue}: ${what}`, async () => {
    const ours = await framework.attack(index)
    assert.deepEqual(ours, right ?? (await fastify.attack(index)))
  })
}
