/**
 * Defects from the public trackers of Fastify and its packages, tried on Fastify 4.21, Fastify 5 and ours: built ahead of time,
 * where code generation is refused. `UPDATE=1 npm test -- public-issues` writes the list in README.md.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Engine } from '../security/engine.ts'
import { type Built, buildAll } from './artifacts.ts'
import { loadIssues } from './issue.ts'
import { listOf, type Observations } from './list.ts'

const child = fileURLToPath(new URL('child.js', import.meta.url))
const list = new URL('../../../test/public-issues/README.md', import.meta.url)
const docs = new URL('../../../docs/', import.meta.url)

const issues = await loadIssues()
const fastify = new Engine(['fastify'], child)
const fastify5 = new Engine(['fastify-5'], child)
const seen: Observations[] = []
let built: Built[] = []
let framework: Engine

before(async () => {
  built = await buildAll(issues)
  const files = JSON.stringify(built)
  framework = new Engine(['framework', files], child, ['--disallow-code-generation-from-strings'])
})

after(() => {
  for (const engine of [fastify, fastify5, framework]) engine.stop()
})

for (const [index, issue] of issues.entries()) {
  test(`${issue.issue}: ${issue.what}`, async () => {
    const artifact = built[index]
    const [old, next, ours] = await Promise.all([
      fastify.attack(index),
      fastify5.attack(index),
      Array.isArray(artifact) ? artifact : framework.attack(index),
    ])
    seen.push({ issue, old, next, ours })
    if (issue.decision === undefined) {
      assert.deepEqual(ours, issue.right)
      return
    }
    if (issue.isRefused !== true) assert.deepEqual(ours, old, 'decided: as on Fastify 4.21')
    assert.notDeepEqual(ours, issue.right, 'nothing to decide')
    const [page = '', phrase = ''] = issue.decision.split(/: (.*)/)
    assert.ok(readFileSync(new URL(page, docs), 'utf8').includes(phrase), `${page}: ${phrase}`)
  })
}

test('the list has every issue with its results', () => {
  const text = listOf(seen)
  if (process.env.UPDATE === '1') writeFileSync(list, text)
  // `npm run fmt` aligns the columns.
  else
    assert.deepEqual(
      withoutPadding(readFileSync(list, 'utf8')).split('\n'),
      withoutPadding(text).split('\n'),
    )
})

function withoutPadding(text: string): string {
  return text.replace(/ +/g, ' ').replace(/-+/g, '-')
}
