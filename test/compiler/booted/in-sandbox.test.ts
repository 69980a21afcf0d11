/** Boots in the sandbox, as builds use them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isFailure, SandboxedBoot, type BootResults } from '../../../compiler/booted/in-sandbox.ts'
import { resolveOptions } from '../../../compiler/options.ts'
import { temporaryFolder, writeAll } from '../../support/folders.ts'

test('an application that waits for something is booted once, until a file changes that it has read', async (t) => {
  const folder = temporaryFolder(t)
  writeAll(folder, {
    'package.json': '{ "type": "module" }',
    'app.js': `import { readFileSync } from 'node:fs'
export const text = readFileSync(new URL('settings.txt', import.meta.url), 'utf8')
await new Promise(() => setInterval(() => undefined, 1000))`,
    'settings.txt': 'one',
  })
  const kept = new Map<string, unknown>()
  const reads: (readonly string[])[] = []
  const results: BootResults = {
    get: (key) => kept.get(key),
    put(key, result, paths) {
      kept.set(key, result)
      reads.push(paths)
    },
  }
  const options = resolveOptions({ entry: join(folder, 'app.js') })
  for (let turn = 0; turn < 2; turn++) {
    const boot = new SandboxedBoot(options, results)
    const { result } = await boot.run({ start: { kind: 'itself' }, listens: true })
    boot.end()
    assert.ok(isFailure(result))
    assert.equal(result.reason, 'doing nothing for 3 seconds')
  }
  assert.equal(reads.length, 1)
  for (const name of ['app.js', 'settings.txt'])
    assert.ok(reads[0]?.includes(join(folder, name)), name)
})
