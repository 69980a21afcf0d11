/** Each application of `fixtures/apps` is asked, or refused, on each target: no cell of the table is empty. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { appNames, projectNames } from '../support/engines.ts'
import { asked, askedInPages, generatesCode, refusedOnWeb } from './rows.ts'

const all = [...appNames, ...projectNames].sort()

const rows: Readonly<Record<string, readonly string[]>> = {
  workerd: [...Object.keys(asked.workerd), 'plugins', generatesCode],
  deno: [...Object.keys(asked.deno), 'plugins'],
  bun: [...Object.keys(asked.bun), 'plugins'],
  web: [...Object.keys(askedInPages), ...Object.keys(refusedOnWeb), generatesCode],
}

for (const [target, names] of Object.entries(rows)) {
  test(`${target}: each application is asked once, or refused`, () =>
    assert.deepEqual([...names].sort(), all))
}

for (const target of ['node', 'lambda', 'vercel']) {
  test(`${target}: all applications are asked`, () => {
    // Their tests take the list as it is.
    const file = new URL(`../../../test/targets/${target}.test.ts`, import.meta.url)
    assert.match(
      readFileSync(fileURLToPath(file), 'utf8'),
      /\[\.\.\.appNames, \.\.\.projectNames\]/,
    )
  })
}
