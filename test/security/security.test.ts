/** Each known hole, tried on Fastify 4.21.0 and on ours: both must show exactly what is written down. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Engine } from './engine.ts'
import { groups, reproductions } from './reproductions/index.ts'

const [fastify, framework] = [new Engine(['fastify']), new Engine(['framework'])]

after(() => {
  fastify.stop()
  framework.stop()
})

for (const [group, members] of Object.entries(groups)) {
  for (const reproduction of members) {
    const { advisory, what, fastify: expected, framework: own } = reproduction
    const index = reproductions.indexOf(reproduction)
    const verdict = own === 'same' ? 'answers as Fastify 4.21' : 'is closed'
    test(`${group}: ${what} (${advisory}) ${verdict}`, async () => {
      const seen = await Promise.all([fastify.attack(index), framework.attack(index)])
      assert.deepEqual(seen, [expected, own === 'same' ? expected : own])
      if (own !== 'same') assert.notDeepEqual(own, expected, 'both must differ')
    })
  }
}
