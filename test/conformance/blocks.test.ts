import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBlocks } from './blocks.ts'

const tap = `TAP version 13
# Subtest: outer
    # Subtest: inner
        ok 1 - first
        not ok 2 - second
          ---
          at: |
            ok 3 - part of a diagnostic
          ...
        1..2
    not ok 1 - inner # time=1ms
    ok 2 - of the outer block itself
    1..2
not ok 1 - outer # time=2ms
# Subtest: twice
    ok 1 - should be equal
    1..1
ok 2 - twice
# Subtest: twice
    ok 1 - should be equal
    1..1
ok 3 - twice
# Subtest: left out
ok 4 - left out # SKIP
ok 5 - of the file
# Subtest: cut short
    ok 1 - should be equal
`

test('counts innermost blocks and assertions outside of them', () => {
  const scored = readBlocks(tap).map(({ title, ok }) => [title, ok])
  assert.deepEqual(scored, [
    ['outer', true],
    ['outer > inner', false],
    ['twice', true],
    ['twice (2)', true],
    ['left out', false],
    ['cut short', false],
    ['(file) of the file', true],
  ])
})
