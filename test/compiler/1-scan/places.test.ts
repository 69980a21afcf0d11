/** Where the parts of a schema are written that depends on conditions. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { scan } from '../../../compiler/1-scan/index.ts'
import { temporaryFolder } from '../../support/folders.ts'

const text = `import framework from 'framework'
const app = framework()
const all = [{ type: 'string' }]
if (process.env.FIRST) all.unshift({ type: 'integer' })
if (process.env.SECOND) all.push({ type: 'boolean' })
all.push({ type: 'null' })
app.post('/', { schema: { body: { allOf: all } } }, async () => ({}))
await app.listen({ port: 3000 })
`

const lineOf = (type: string): number =>
  text.split('\n').findIndex((line) => line.includes(`type: '${type}'`)) + 1

test('in a list with elements that may not be there', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'out'))
  const entry = join(folder, 'app.js')
  writeFileSync(entry, text)
  const graph = await scan({ entry, root: folder, out: join(folder, 'out') }, (problem) => {
    throw new Error(problem.message)
  })
  const [route] = graph?.root.operations.flatMap((one) => (one.type === 'route' ? [one] : [])) ?? []
  const actual = (route?.route.schemas ?? []).map(({ value: { value, locate } }) => {
    const { allOf } = (value as { body: { allOf: { type: string }[] } }).body
    return allOf.map(({ type }, i) => [type, locate(['body', 'allOf', i, 'type']).line])
  })
  const lists = [
    ['integer', 'string', 'boolean', 'null'],
    ['integer', 'string', 'null'],
    ['string', 'boolean', 'null'],
    ['string', 'null'],
  ]
  const expected = lists.map((list) => list.map((type) => [type, lineOf(type)]))
  assert.deepEqual(sorted(actual), sorted(expected))
})

function sorted(lists: readonly unknown[]): readonly string[] {
  return lists.map((list) => JSON.stringify(list)).toSorted()
}
