/** Random set-up code that takes its time: the scan computes what running it gives, or says that it can't. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import type { Program } from '../../support/random-programs.ts'
import { temporaryFolder } from '../../support/folders.ts'
import {
  imports,
  interleavedProgram,
  programInTime,
  toolPackage,
} from '../../support/programs-in-time.ts'
import { runs, runsAll } from '../../support/runs.ts'
import { scanProgram, canonical } from '../../support/scan-program.ts'

const dir = temporaryFolder({ after })
const tool = join(dir, 'node_modules/tool')
mkdirSync(tool, { recursive: true })
writeFileSync(join(tool, 'package.json'), '{"name":"tool","type":"module","main":"index.js"}')
writeFileSync(join(tool, 'index.js'), toolPackage)

const thread = new Worker(new URL('../../support/run-in-time.js', import.meta.url), {
  workerData: join(tool, 'index.js'),
})
after(() => thread.terminate())

async function run(program: Program): Promise<string | undefined> {
  thread.postMessage(program)
  const [value] = (await once(thread, 'message')) as [string | undefined]
  return value
}

for (const end of [
  'queueMicrotask(() => process.exit())',
  'process.nextTick(() => process.exit())',
  'setTimeout(() => process.exit(), 1)',
  'app.ready().then(() => process.exit())',
  'app.listen({ port: 0 }).then(() => { process.exit(); app.ready() })',
  ';(async () => { await null; if (process.env.ONCE) process.exit() })()',
]) {
  test(`a process that ends has declared its routes: ${end}`, async () => {
    const { values, diagnostics } = await scanProgram(dir, [], { setUp: end, result: '{}' })
    assert.deepEqual([values, diagnostics], [['{}'], []])
  })
}

test('what a callback has done before it throws may be done', async () => {
  for (const setUp of [
    "const o = {}; caught(() => { o.x = 1; throw new Error('x') })",
    'let o = 1; caught(() => { o = 2; null.x })',
  ]) {
    const program = { setUp, result: '{ const: o }' }
    const { diagnostics } = await scanProgram(dir, ["import { caught } from 'tool'"], program)
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['AOT_SCHEMA_NOT_STATIC'],
    )
  }
})

test('a callback that waits holds up nothing, and the rest of the program is as known as without it', async () => {
  for (const wait of ['new Promise(() => {})', "import('none')", 'once(new EventEmitter(), one)']) {
    const callback = `never(async (one) => { if (one) await ${wait}; if (await one) await ${wait} })`
    for (const setUp of [
      `const o = { x: 0 }; const f = async () => { await null; ${callback} }; f(); await null; await null; o.x = 1`,
      `const o = { x: 0 }; const f = async () => { await null; o.x = 1 }; const p = f(); ${callback}; await p`,
      `const o = { x: 0 }; setTimeout(() => { o.x = 1 }, 1); ${callback}; await sleep(2)`,
      `const o = { x: 0 }; app.register(async () => { ${callback} }); await app.register(async () => { await null; o.x = 1 })`,
    ]) {
      const head = ["import { never } from 'tool'", ...imports.slice(0, 3)]
      const { values } = await scanProgram(dir, head, { setUp, result: '{ const: o.x }' })
      assert.deepEqual(values, ['{"const":1}'], setUp)
    }
  }
})

const zero = { all: 0, exact: 0, refused: 0, wrong: 0 }
let count = { ...zero }

async function compare(program: Program): Promise<void> {
  const expected = await run(program)
  if (expected === undefined) return
  const { values, diagnostics } = await scanProgram(dir, imports, program)
  count.all++
  if (diagnostics.length > 0) {
    count.refused++
    return
  }
  const found = values.map(canonical)
  if (!found.includes(canonical(expected))) {
    count.wrong++
    if (process.env['COUNT'] === undefined)
      assert.fail(`${expected} is not ${found.join(' or ')} of ${program.setUp}`)
  } else if (found.length === 1) count.exact++
}

test('computes what programs in time compute, or refuses them', async (t) => {
  await fc.assert(fc.asyncProperty(programInTime, compare), runs(runsAll ? 400 : 200))
  t.diagnostic(JSON.stringify(count))
  // Without a boot, the scan may refuse what it can't order.
  assert.ok(count.refused <= count.all * 0.15, `${count.refused} of ${count.all} are refused`)
})

test('a generator gives what it reads when a value is taken, or the scan refuses it', async (t) => {
  count = { ...zero }
  await fc.assert(fc.asyncProperty(interleavedProgram, compare), runs(runsAll ? 100 : 40))
  t.diagnostic(JSON.stringify(count))
  assert.ok(count.exact > 0, 'no program is computed')
})
