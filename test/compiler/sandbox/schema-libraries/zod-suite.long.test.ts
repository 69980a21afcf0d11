/** Zod's own tests, with every type that they create parsing with a compiled parser. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../../../support/folders.ts'
import { root } from '../../../support/root.ts'

interface Report {
  readonly numTotalTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Tests that fail, by file. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // These need packages that Zod's package doesn't have.
  'classic/tests/file.test.ts': [],
  'classic/tests/redos.test.ts': [],
  'classic/tests/to-json-schema.test.ts': [],
  // Fails with Zod's published package alone, too.
  'classic/tests/error.test.ts': [
    'safeParse builds the error on first read no reader frames leak into the error, however late it is read',
  ],
  // Nothing but these tests may compile types.
  'core/tests/compile-off-by-default.test.ts': [
    'global compilation is installed only under compile mode',
    'a freshly constructed schema is compiled only under compile mode',
  ],
}

test("Zod's own tests pass with compiled parsers, except for those listed", (t) => {
  const folder = temporaryFolder(t)
  const zod = join(folder, 'zod')
  cpSync(join(root, 'fixtures/zod/node_modules/zod'), zod, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'fixtures/zod/vitest.config.js'), join(folder, 'vitest.config.js'))
  const [count, report] = [join(folder, 'count'), join(folder, 'report.json')]
  writeFileSync(count, '')
  const setup = join(root, 'dist/test/support/compile-zod-types.js')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--config', join(folder, 'vitest.config.js'), '--reporter=json']
  const ZOD_CORE = pathToFileURL(join(zod, 'v4/core/index.js')).href
  const env = { ...process.env, ZOD: zod, SETUP: setup, ZOD_CORE, ZOD_COUNT: count }
  const { stderr } = spawnSync(process.execPath, [...args, `--outputFile=${report}`], {
    cwd: zod,
    env,
    encoding: 'utf8',
  })
  const { numTotalTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults
    .filter(({ status }) => status !== 'passed')
    .map(({ name, assertionResults }) => [
      relative(join(zod, 'src/v4'), name),
      assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ])
  assert.deepEqual(Object.fromEntries(failed), exceptions, stderr)
  assert.ok(numTotalTests > 2000)
  const compiled = readFileSync(count, 'utf8').match(/^compiled$/gm) ?? []
  assert.ok(compiled.length > 7000, String(compiled.length))
})
