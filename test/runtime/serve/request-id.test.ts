import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { createRequestIdGenerator } from '../../../runtime/serve/request/request-id.ts'

type Generate = (raw: IncomingMessage) => string

const { reqIdGenFactory } = createRequire(import.meta.url)('fastify/lib/reqIdGenFactory') as {
  reqIdGenFactory(header: string | false, own?: Generate): Generate
}

const raw = (headers: object = {}): IncomingMessage => ({ headers }) as IncomingMessage
const own: Generate = (request) => `own-${request.headers['x']}`

test('ids are made as by the oracle, from the header, by the application or counted', () => {
  for (const header of ['request-id', 'x', '', false] as const) {
    for (const generate of [undefined, own]) {
      const ours = createRequestIdGenerator(header, generate)
      const theirs = reqIdGenFactory(header, generate)
      for (let i = 0; i < 40; i++) {
        for (const headers of [{}, { x: 'a' }, { 'request-id': 'b', x: '' }]) {
          assert.equal(ours(raw(headers)), theirs(raw(headers)))
        }
      }
    }
  }
})

test('each generator counts for itself', () => {
  const [one, two] = [createRequestIdGenerator(false), createRequestIdGenerator(false)]
  assert.deepEqual([one(raw()), one(raw()), two(raw())], ['req-1', 'req-2', 'req-1'])
})
