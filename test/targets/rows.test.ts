/** Each application of `fixtures/apps` is tested, or refused, on each target. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  test(`${target}: each application is tested once, or refused`, () =>
    assert.deepEqual([...names].sort(), all))
}
