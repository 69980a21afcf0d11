/** A scan reads JSON files as Node does: what `JSON.parse` refuses is a syntax error, and the rest has its values. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { scan } from '../../../compiler/1-scan/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import { runs } from '../../support/runs.ts'
import { temporaryFolder } from '../../support/folders.ts'

const root = temporaryFolder({ after })
const entry = join(root, 'app.js')
writeFileSync(
  entry,
  `import framework from 'framework'
import data from './data.json' with { type: 'json' }
export const app = framework()
app.addSchema({ $id: 'data', const: data })`,
)

/** The value that the scan finds if the file contains `text`. */
async function read(text: string) {
  writeFileSync(join(root, 'data.json'), text)
  const problems: Diagnostic[] = []
  const graph = await scan({ entry, root, out: root }, (one) => void problems.push(one))
  const [operation] = graph?.root.operations ?? []
  assert.ok(operation?.type === 'schema')
  const [schema] = operation.schemas
  return { problems, value: (schema?.value.value as { const?: unknown } | undefined)?.const }
}

/** The value that Node reads, which strips a byte order mark; `undefined` if it throws. */
function expected(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown }
  } catch {
    return undefined
  }
}

async function assertSame(text: string): Promise<boolean> {
  const wanted = expected(text)
  const { problems, value } = await read(text)
  const [problem] = problems
  if (wanted === undefined) {
    assert.equal(problem?.code, 'AOT_SYNTAX_ERROR')
    assert.equal(problem.at.file, 'data.json')
    const line = text.split('\n')[problem.at.line - 1]
    assert.ok(line !== undefined && problem.at.column <= line.length + 1, JSON.stringify(problem))
  } else {
    assert.deepEqual(problems, [])
    // Names in their order, too.
    assert.equal(JSON.stringify(value), JSON.stringify(wanted.value))
    assert.deepEqual(value, wanted.value)
  }
  return wanted !== undefined
}

const wrong: readonly (readonly [text: string, place: string, reason: string])[] = [
  ['', '1:1', 'Value expected.'],
  ['\n\n', '1:1', 'Value expected.'],
  ['{\n  "a": 1\n  "b": 2\n}', '3:3', 'Comma expected.'],
  ['{ "a": 1,, "b": 2 }', '1:10', 'Property name expected.'],
  ['[1,,2]', '1:4', 'Value expected.'],
  ['{\n  "a": 1,\n}\n', '2:9', 'JSON has no trailing commas.'],
  ['[1, ]', '1:3', 'JSON has no trailing commas.'],
  ["{ 'a': 1 }", '1:3', 'JSON has double quotes only.'],
  ['{ a: 1 }', '1:3', 'Property name expected.'],
  ['{ "a": 1 } // one', '1:12', 'JSON has no comments.'],
  ['{ /* one */ "a": 1 }', '1:3', 'JSON has no comments.'],
  ['{ "a": { "b": 1 }\n', '1:18', 'Close brace expected.'],
  ['{ "a" 1 }', '1:7', 'Colon expected.'],
  ['{ "a": undefined }', '1:8', 'Value expected.'],
  ['{ "a": 01 }', '1:9', 'Comma expected.'],
  ['{ "a": "b\n}', '1:8', 'Unexpected end of string.'],
  ['["a\tb"]', '1:2', 'Invalid character.'],
  ['["\\x41"]', '1:2', 'Invalid escape character.'],
  ['[1]]', '1:4', 'End of file expected.'],
  ['\u00a0{}', '1:1', 'Invalid symbol.'],
]

test('shows where a file stops being JSON, and why', async () => {
  for (const [text, place, reason] of wrong) {
    const [problem] = (await read(text)).problems
    assert.equal(problem?.code, 'AOT_SYNTAX_ERROR', JSON.stringify(text))
    const { line, column } = problem.at
    assert.equal(`${line}:${column} ${problem.message}`, `${place} ${reason} Correct the syntax.`)
    assert.ok(!(await assertSame(text)))
  }
})

test('values are those of JSON.parse', async () => {
  for (const text of [
    '\uFEFF{ "a": 1 }',
    '{ "a": 1, "b": 2, "a": 3 }',
    '{ "b": 1, "2": 2, "1": 1 }',
    '{ "__proto__": { "a": 1 }, "constructor": null }',
    '[-0, 1e400, 12345678901234567890, "\\ud800\u2028", "\\/"]',
    ' "text" ',
    'null',
    '-1.5e-3',
  ]) {
    assert.ok(await assertSame(text), text)
  }
})

const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(0, 2))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent))

const pieces = [
  ...'{}[]:,"\'\\/ 019.-+eEtrufalsn_$\n\t\0\u00a0\u2028\uFEFF',
  '//',
  '/*',
  '*/',
  '\\u00',
  'null',
]

const damages = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    without: fc.nat(2),
    piece: fc.constantFrom('', ...pieces),
  }),
  { maxLength: 2 },
)

test('reports a syntax error exactly where JSON.parse throws', async () => {
  const tally = { all: 0, valid: 0 }
  const property = fc.asyncProperty(texts, damages, async (whole, list) => {
    const text = list.reduce((before, { at, without, piece }) => {
      const index = Math.floor(at * before.length)
      return before.slice(0, index) + piece + before.slice(index + without)
    }, whole)
    tally.all++
    if (await assertSame(text)) tally.valid++
  })
  await fc.assert(property, runs(300))
  assert.ok(tally.valid > tally.all / 10 && tally.valid < tally.all * 0.9, JSON.stringify(tally))
})
