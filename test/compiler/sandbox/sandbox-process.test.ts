import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SandboxProcess } from '../../../compiler/sandbox/sandbox-process.ts'
import { temporaryFolder } from '../../support/folders.ts'

test('a late signal of a message that has been read already is no message', (t) => {
  const sandbox = new SandboxProcess(temporaryFolder(t))
  t.after(() => sandbox.close())
  const ask = (value: number): unknown =>
    sandbox.run({ definitions: [], steps: [], roots: [{ t: 'value', value }], wants: 'plain' })
  const answer = (value: number): unknown => ({ outcomes: [{ type: 'plain', value, holes: [] }] })
  assert.deepEqual(ask(1), answer(1))
  // On a busy machine, the supervisor may be interrupted between sending a message and waking the scan.
  t.mock.method(Atomics, 'wait', () => 'ok', { times: 1 })
  assert.deepEqual(ask(2), answer(2))
})
