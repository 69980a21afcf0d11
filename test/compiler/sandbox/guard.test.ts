/** Code that computes schemas reaches nothing outside of its process, and can't end a build. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { attempts, listenForEscapes, openDoors } from '../../support/escapes.ts'
import { scanPackage } from '../../support/scan-package.ts'

test('no way out of the process is open', async () => {
  const { port, calls, close } = await listenForEscapes()
  try {
    const scanned = await scanPackage({
      tool: (folder) => attempts(port, join(folder, 'room')),
      files: { 'room/mine': '' },
      app: `import { results } from 'tool'
        app.get('/', { schema: { querystring: { const: results } } }, () => {})`,
      inspect: (folder) => readdirSync(join(folder, 'room')),
    })
    assert.deepEqual(scanned.diagnostics, [])
    const { querystring } = scanned.schemas.get('/') as { querystring: { const: object } }
    assert.deepEqual(openDoors(querystring.const), [])
    assert.deepEqual(scanned.inspected, ['mine'])
    assert.deepEqual(calls, [])
  } finally {
    close()
  }
})

test('says what to do about a package that cannot be loaded', async () => {
  const { diagnostics } = await scanPackage({
    tool: () => "throw new Error('no licence')",
    app: "import { body } from 'tool'\napp.post('/', { schema: { body } }, () => {})",
  })
  assert.deepEqual(diagnostics, [
    'The body of the schema of POST / cannot be known without running the application: ' +
      'the package "tool" cannot be loaded: no licence. ' +
      'Make sure that it can be loaded where the application is built.',
  ])
})

test('notices times that differ between runs, and keeps those that do not', async () => {
  const { schemas, diagnostics } = await scanPackage({
    tool: () => `export const run = (code) => new Function('return ' + code)()`,
    app: `import { run } from 'tool'
      const declare = (url, code) => app.get(url, { schema: { querystring: { const: run(code) } } }, () => {})
      declare('/a', 'Number(process.hrtime.bigint())')
      declare('/b', 'Date().length')
      declare('/c', 'Date.parse("1 January 2020")')
      declare('/d', 'Date.parse("2020-01-01T10:00:00+01:00") - new Date("2020-01")')
      declare('/e', '[structuredClone(new Date(0)) instanceof Date, new Date(0).constructor === Date, isNaN(new Date("none"))]')`,
  })
  const reasons = ['clock', 'clock', 'time zone']
  assert.deepEqual(
    diagnostics.map((one) => /it depends on the ([a-z ]+)/.exec(one)?.[1]),
    reasons,
  )
  assert.deepEqual(
    [...schemas.values()].slice(3),
    [9 * 3600 * 1000, [true, true, true]].map((value) => ({ querystring: { const: value } })),
  )
})

test('passes iterators to packages, unless they were used before', async () => {
  const { schemas, diagnostics } = await scanPackage({
    tool: () => 'export const take = (all) => [...all]',
    app: `import { take } from 'tool'
      const list = ['a', 'b']
      const used = list.values()
      used.next()
      const declare = (url, all) => app.get(url, { schema: { querystring: { enum: take(all) } } }, () => {})
      declare('/list', list.values())
      declare('/map', new Map([['a', 1]]).entries())
      declare('/generator', (function* () { yield* list })())
      declare('/used', used)`,
  })
  assert.equal(diagnostics.length, 1)
  assert.match(diagnostics[0] ?? '', /GET \/used .* it is an iterator in use/)
  const values = [['a', 'b'], [['a', 1]], ['a', 'b']]
  assert.deepEqual(
    [...schemas.values()].slice(0, 3),
    values.map((value) => ({ querystring: { enum: value } })),
  )
})
