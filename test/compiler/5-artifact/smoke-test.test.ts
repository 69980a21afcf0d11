import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { sampleValue } from '../../../compiler/5-artifact/sample-value.ts'
import { SmokeTest } from '../../../compiler/5-artifact/smoke-test.ts'
import { createUnitCompiler } from '../../../compiler/emit-driver/compile-unit.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'

test('failures belong to their functions, also after a file that does not load', async () => {
  const { unit: unitOf } = createUnitFactory('validator', {}, { customOptions: {}, plugins: [] })
  const units = ['string', 'number', 'boolean'].map((type) => unitOf({ type }))
  // Functions of more than one file.
  const makers = [`() => 0, ) ${' '.repeat(40_000)}`, '() => eval("1")', '() => missing()']
  const packed = units.map(({ digest }, i) => {
    return { digest, imports: [], userImports: [], shared: [], size: 0, maker: makers[i] as string }
  })
  const smokeTest = new SmokeTest()
  const byDigest = new Map(units.map((unit) => [unit.digest, unit]))
  const failures = await smokeTest.run(packed, byDigest, '').finally(() => smokeTest.end())
  const [first, second, third] = units.map(({ digest }) => failures.get(digest) ?? '')
  assert.match(first ?? '', /Unexpected token/)
  assert.match(second ?? '', /Code generation from strings/)
  assert.match(third ?? '', /missing is not defined/)
})

test('the results of a smoke test are read although its process has ended meanwhile', async () => {
  const unit = createUnitFactory('validator', {}, { customOptions: {}, plugins: [] }).unit({
    type: 'string',
  })
  const compiled = await createUnitCompiler(createEmitter())(unit)
  assert.ok('packed' in compiled)
  const broken = { ...compiled.packed, maker: '() => eval("1")' }
  const smokeTest = new SmokeTest()
  const child = smokeTest.start()
  await sleep(500)
  const tried = smokeTest.run([broken], new Map([[unit.digest, unit]]), '')
  // As long as the rest of a large build takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  assert.match((await tried).get(unit.digest) ?? '', /Code generation from strings/)
  assert.equal(child, smokeTest.start())
  smokeTest.end()
})

test('values for schemas with many references to each other stay small', () => {
  const names = Array.from({ length: 100 }, (_, i) => `property${i}`)
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]))
  const size = JSON.stringify(sampleValue({ type: 'object', properties }, {})).length
  assert.ok(size > 1000 && size < 1e6, String(size))
})
