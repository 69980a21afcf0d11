import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEmitter } from '../../../compiler/4-emit/index.ts'
import { TryOut } from '../../../compiler/5-bundle/try-out.ts'
import { createUnitCompiler } from '../../../compiler/emit-driver/compile-unit.ts'
import { createUnitFactory } from '../../../runtime/artifact/units.ts'

test('what was tried is told, though the process that tried it has ended while nobody listened', async () => {
  const unit = createUnitFactory('validator', {}, { customOptions: {}, plugins: [] }).unit({
    type: 'string',
  })
  const compiled = await createUnitCompiler(createEmitter())(unit)
  assert.ok('packed' in compiled)
  const broken = { ...compiled.packed, maker: '() => eval("1")' }
  const tryOut = new TryOut()
  const child = tryOut.start()
  await sleep(500)
  const tried = tryOut.run([broken], new Map([[unit.digest, unit]]), {
    nameOf: () => '',
    code: undefined,
  })
  // As long as the rest of a large build takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  assert.match((await tried).get(unit.digest) ?? '', /Code generation from strings/)
  assert.equal(child, tryOut.start())
  tryOut.end()
})
