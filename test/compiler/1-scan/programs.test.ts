/** Random set-up code: the value that the scan computes is the one that running the code gives. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { scan } from '../../../compiler/1-scan/index.ts'
import { buildTree } from '../../../compiler/2-tree/index.ts'
import type { Diagnostic } from '../../../compiler/model/index.ts'
import {
  conditionalProgram,
  flaggedProgram,
  flags,
  program,
} from '../../support/random-programs.ts'
import { runs } from '../../support/runs.ts'
import { trickyPrograms, type Program } from '../../support/tricky-programs.ts'
import { temporaryFolder } from '../../support/folders.ts'

const dir = temporaryFolder({ after })
let count = 0

/** Runs the program and returns its result as JSON; `undefined` when it throws. */
function run(setUp: string, result: string, set: readonly string[]): string | undefined {
  const environment = Object.fromEntries(flags.map((flag) => [flag, set.includes(flag)]))
  try {
    const text = `'use strict';${setUp}\n;JSON.stringify(${result})`
    return runInNewContext(text, { structuredClone, ...environment }) as string
  } catch {
    return undefined
  }
}

/** All that the scan says it may give, as JSON, and what it reports. */
async function scanned(
  setUp: string,
  result: string,
): Promise<{ values: string[]; diagnostics: Diagnostic[] }> {
  const entry = join(dir, `app${count++}.js`)
  const lines = [
    "import framework from 'framework'",
    ...flags.map((flag) => `const ${flag} = process.env.${flag} === 'yes'`),
    'const app = framework()',
    setUp,
    `;app.post('/', { schema: { body: ${result} } }, () => {})`,
  ]
  writeFileSync(entry, lines.join('\n'))
  const diagnostics: Diagnostic[] = []
  const report = (one: Diagnostic): void => void diagnostics.push(one)
  const graph = await scan({ entry, root: dir, out: '' }, report)
  assert.ok(graph)
  const { routes } = buildTree(graph, report).root
  const values = routes.map(({ schema }) => {
    const value = schema?.value as { body: unknown } | undefined
    return JSON.stringify(value?.body)
  })
  return { values, diagnostics }
}

function canonical(json: string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

test('computes what the program computes', async () => {
  const count = { all: 0, exact: 0 }
  await fc.assert(
    fc.asyncProperty(program, async ({ setUp, result }) => {
      const expected = run(setUp, result, [])
      if (expected === undefined) return
      const { values, diagnostics } = await scanned(setUp, result)
      count.all++
      // Unknown values must be reported.
      if (diagnostics.length > 0) return
      assert.ok(values.includes(expected), `${expected} is not ${values.join(' or ')}`)
      if (values.length === 1) count.exact++
    }),
    runs(20),
  )
  assert.ok(count.exact >= count.all * 0.9, `${count.exact} of ${count.all} are exact`)
})

interface Count {
  all: number
  exact: number
}

/** Compares a program under every outcome of its conditions. Unknown values must be reported. */
async function compare({ setUp, result }: Program, count: Count): Promise<void> {
  const outcomes = [[], ['F1'], ['F2'], ['F1', 'F2']].map((set) => run(setUp, result, set))
  // An outcome that throws has no value.
  const expected = new Set(outcomes.filter((one) => one !== undefined).map(canonical))
  if (expected.size === 0) return
  const { values, diagnostics } = await scanned(setUp, result)
  count.all++
  if (diagnostics.length > 0) return
  // The order of members that may be missing is not kept in all cases.
  const found = new Set(values.map(canonical))
  for (const outcome of expected) assert.ok(found.has(outcome), `${outcome} of ${setUp}`)
  if (found.size === expected.size) count.exact++
}

test('finds or reports every outcome of tricky programs', async () => {
  const count = { all: 0, exact: 0 }
  for (const program of trickyPrograms) await compare(program, count)
  assert.equal(count.all, trickyPrograms.length)
})

for (const [title, programs, share] of [
  ['in its statements', conditionalProgram, 0.8],
  ['in its expressions', flaggedProgram, 0.7],
] as const) {
  test(`finds what the program computes under every outcome of the conditions ${title}`, async () => {
    const count = { all: 0, exact: 0 }
    await fc.assert(
      fc.asyncProperty(programs, (one) => compare(one, count)),
      runs(30),
    )
    // A superset of the outcomes is allowed, and should be the exception.
    assert.ok(count.exact >= count.all * share, `${count.exact} of ${count.all} are exact`)
  })
}
