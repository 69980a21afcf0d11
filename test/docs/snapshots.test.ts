/**
 * What docs/deploy.md says of packages in snapshots is what the test of targets runs. `UPDATE=1 npm test -- docs/snapshots` rewrites it;
 * `npm run fmt` aligns it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { refusedPackages, takenPackages } from '../targets/snapshot-packages.ts'

const page = new URL('../../../docs/deploy.md', import.meta.url)
const columns = ['refused', 'why', 'do this']
const passage = /(?<=^These packages are taken, .*:\n)([^]*?)\n\n(\| refused .*\n(?:\|.*\n)*)/m

test('docs/deploy.md tells of packages in snapshots what was run', () => {
  const text = readFileSync(page, 'utf8')
  const taken = takenPackages.filter(({ isLate }) => !isLate).map(({ name }) => `\`${name}\``)
  const rows = refusedPackages.map(({ name, why, instead }) => [name, why, instead])
  const cells = [columns, columns.map(() => '-'), ...rows]
  const table = cells.map((row) => `| ${row.join(' | ')} |\n`).join('')
  const list = `${taken.join(', ')}.`
  if (process.env['UPDATE'] === '1')
    writeFileSync(
      page,
      text.replace(passage, () => `${list}\n\n${table}`),
    )
  else {
    const [, listed = '', found = ''] = passage.exec(text) ?? []
    assert.equal(listed, list)
    assert.deepEqual(rowsOf(found), rows)
  }
})

function rowsOf(text: string): string[][] {
  const [, , ...lines] = text.trim().split('\n')
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}
