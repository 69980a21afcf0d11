import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { emitWarning, type WarningCode } from '../../../runtime/errors/warnings.ts'

interface Warnings {
  readonly emitted: Map<string, boolean>
  emit(code: string, ...args: unknown[]): void
}

const oracle = createRequire(import.meta.url)('fastify/lib/warnings') as Warnings

async function warningsOf(action: () => void): Promise<unknown[]> {
  const seen: unknown[] = []
  const listener = ({ name, message, code }: Error & { code?: string }): void => {
    seen.push({ name, message, code })
  }
  process.on('warning', listener)
  action()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', listener)
  return seen
}

const calls: unknown[][] = [[], ['body', 'POST', '/x'], [Symbol('s')]]

for (const code of oracle.emitted.keys()) {
  test(`${code} is the same warning as the oracle's, as often`, async () => {
    const expected = await warningsOf(() => calls.forEach((args) => oracle.emit(code, ...args)))
    const actual = await warningsOf(() =>
      calls.forEach((args) => emitWarning(code as WarningCode, ...args)),
    )
    assert.equal(actual.length, calls.length)
    assert.deepEqual(actual, expected)
  })
}
