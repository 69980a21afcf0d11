/**
 * Compares the tables of `docs/reference/security.md` with the reproductions. `UPDATE=1 npm test -- security/page` rewrites them;
 * `npm run fmt` aligns them.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { groups, reproductions } from './reproductions/index.ts'

const page = new URL('../../../docs/reference/security.md', import.meta.url)

/** Everything between the heading of the tables and the next section. */
const tables = /(?<=^## What is fixed\n)[^]*?(?=^## )/m

const titles: Readonly<Record<string, string>> = {
  routing: 'Routing',
  proxies: 'Proxies',
  bodies: 'Bodies',
  schemas: 'Schemas',
  serializing: 'Serialization',
  replies: 'Replies',
  plugins: 'Not fixed: plugins',
}
const UNAFFECTED = 'Not affected'

test('docs/reference/security.md lists every reproduction', () => {
  const text = readFileSync(page, 'utf8')
  const rows = rowsOfSuite()
  if (process.env.UPDATE === '1')
    writeFileSync(
      page,
      text.replace(tables, () => toTables(rows)),
    )
  else assert.deepEqual(rowsOfPage(tables.exec(text)?.[0] ?? ''), rows)
})

test('every reproduction has a name of its own', () => {
  const names = reproductions.map(({ what }) => what)
  assert.deepEqual(names, [...new Set(names)])
})

type Row = readonly [title: string, advisory: string, vulnerability: string]

/** The rows of all tables. Vulnerabilities that Fastify 4.21.0 doesn't have are in a table of their own. */
function rowsOfSuite(): Row[] {
  const rows = new Map<string, Row>()
  const add = (title: string | undefined, advisory: string, what: string): void => {
    assert.ok(title !== undefined, `No title for the reproduction "${what}"`)
    const row = [title, advisory, what.replaceAll('|', '\\|')] as const
    rows.set(row.join(), row)
  }
  for (const [group, members] of Object.entries(groups))
    for (const { advisory, what, row = what, framework } of members)
      if (framework !== 'same' || group === 'plugins') add(titles[group], advisory, row)
  const { plugins = [], ...others } = groups
  assert.ok(plugins.length > 0)
  for (const { advisory, what, row = what, framework } of Object.values(others).flat())
    if (framework === 'same') add(UNAFFECTED, advisory, row)
  return [...rows.values()]
}

function toTables(rows: readonly Row[]): string {
  return [...new Set(rows.map(([title]) => title))]
    .map((title) => {
      const cells = rows.filter((row) => row[0] === title).map((row) => row.slice(1))
      const lines = [['advisory or release', 'vulnerability'], ['-', '-'], ...cells]
      return `\n### ${title}\n\n${lines.map((line) => `| ${line.join(' | ')} |\n`).join('')}`
    })
    .join('')
    .concat('\n')
}

function rowsOfPage(text: string): string[][] {
  return text
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const [title = '', ...lines] = section.trimEnd().split('\n')
      const [, , ...rows] = lines.filter((line) => line.startsWith('|'))
      return rows.map((line) => {
        const cells = line.split(/(?<!\\)\|/).slice(1, -1)
        return [title, ...cells.map((cell) => cell.trim())]
      })
    })
}
