/** Each application of `fixtures/apps` is tested on each target, or refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appNames, projectNames } from '../support/engines.ts'
import { tested, testedInPages, generatesCode, refusedOnWeb } from './rows.ts'

const all = [...appNames, ...projectNames].sort()

const rows: Readonly<Record<string, readonly string[]>> = {
  workerd: [...Object.keys(tested.workerd), 'plugins', generatesCode],
  deno: [...Object.keys(tested.deno), 'plugins'],
  bun: [...Object.keys(tested.bun), 'plugins'],
  web: [...Object.keys(testedInPages), ...Object.keys(refusedOnWeb), generatesCode],
}

for (const [target, names] of Object.entries(rows)) {
  test(`${target}: each application is tested once, or refused`, () =>
    assert.deepEqual([...names].sort(), all))
}
