/**
 * The table of `docs/security.md` is that of the suite, row by row. `UPDATE=1 npm test -- security` rewrites it;
 * `npm run fmt` aligns it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { groups } from './reproductions/index.ts'

const page = new URL('../../../docs/security.md', import.meta.url)
const columns = ['advisory or release', 'what it is', 'Fastify 4.21.0', 'framework', 'test']
const table = new RegExp(`^\\| ${columns[0]} .*\\n(?:\\|.*\\n)*`, 'm')

test('docs/security.md shows what the suite shows', () => {
  const text = readFileSync(page, 'utf8')
  const rows = rowsOfSuite()
  const cells = [columns, columns.map(() => '-'), ...rows]
  const written = cells.map((row) => `| ${row.join(' | ')} |\n`).join('')
  if (process.env.UPDATE === '1')
    writeFileSync(
      page,
      text.replace(table, () => written),
    )
  else assert.deepEqual(rowsOfPage(text), rows)
})

test('no two rows are about the same', () => {
  const names = rowsOfSuite().map(([, what]) => what)
  assert.deepEqual(names, [...new Set(names)])
})

function rowsOfSuite(): string[][] {
  return Object.entries(groups).flatMap(([group, members]) =>
    members.map(({ advisory, what, fastify, framework }) => {
      const own = framework === 'same' ? 'the same' : toCell(framework)
      return [advisory, what.replaceAll('|', '\\|'), toCell(fastify), own, group]
    }),
  )
}

function rowsOfPage(text: string): string[][] {
  const [, , ...lines] = (table.exec(text)?.[0] ?? '').trim().split('\n')
  return lines.map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1)
    return cells.map((cell) => cell.trim())
  })
}

/** What was seen, line by line. */
function toCell(seen: readonly string[]): string {
  return seen.map((line) => `\`${line.replaceAll('|', '\\|')}\``).join('<br>')
}
