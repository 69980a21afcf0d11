/** The site has every page, and `npm run docs` builds it without a dead link. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { drawCharts } from '../bench/charts.ts'
import { sidebar } from '../../docs/.vitepress/sidebar.ts'

const docs = fileURLToPath(new URL('../../../docs', import.meta.url))

test('the sidebar has every page once', () => {
  const links = Object.values(sidebar).flatMap((groups) =>
    groups.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`)),
  )
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^\w+\/.*\.md$/.test(file) && !file.startsWith('node_modules'),
  )
  assert.deepEqual(links.toSorted(), pages.toSorted())
})

test('npm run docs builds the site without a warning', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'docs'], {
    cwd: join(docs, '..'),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stdout + stderr)
  assert.doesNotMatch(stdout + stderr, /warn|\(!\)/i)
  const codes = readFileSync(join(docs, '.vitepress/dist/reference/codes.html'), 'utf8')
  // As in the repository, where GitHub makes the anchors: `pages.test.ts` compares links with them.
  assert.match(codes, / id="aot_await_at_start"/)
  // Carets stay under the code that they point at.
  assert.match(codes, /<span class="line frame"><span> {4}\| \^<\/span>/)
})

test('the charts show the saved figures: npm run docs:charts draws them', () => {
  for (const [path, svg] of drawCharts()) assert.equal(readFileSync(path, 'utf8'), svg, path)
})
