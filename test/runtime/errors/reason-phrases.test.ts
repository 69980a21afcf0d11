import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import { reasonPhrases } from '../../../runtime/errors/reason-phrases.ts'

test('statuses have the texts that Node has for them', () => {
  assert.deepEqual(reasonPhrases, STATUS_CODES)
})
