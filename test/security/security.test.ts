/**
 * Each known hole, tried on Fastify 4.21.0 and on ours, which must show what is written down, and something else than Fastify. On
 * Fastify 5 most are closed: `framework/5` shows what it shows.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Engine } from './engine.ts'
import { groups, reproductions } from './reproductions/index.ts'

const cases = new URL('reproductions/index.js', import.meta.url).href
const [fastify, framework, fastify5, framework5] = [
  new Engine(['fastify', cases]),
  new Engine(['framework', cases]),
  new Engine(['fastify-5', cases]),
  new Engine(['framework/5', cases]),
] as const

after(() => [fastify, framework, fastify5, framework5].forEach((engine) => engine.stop()))

for (const [group, members] of Object.entries(groups)) {
  for (const reproduction of members) {
    const { advisory, what, framework: own } = reproduction
    const index = reproductions.indexOf(reproduction)
    const verdict = own === 'same' ? 'answers as Fastify 4.21' : 'is closed'
    test(`${group}: ${what} (${advisory}) ${verdict}`, async () => {
      const [seen, seenOfOurs] = await Promise.all([fastify.attack(index), framework.attack(index)])
      assert.deepEqual(seenOfOurs, own === 'same' ? seen : own)
      // Vulnerabilities of plugins exist on both.
      if (group === 'plugins') assert.deepEqual(seen, own)
      else if (own !== 'same') assert.notDeepEqual(own, seen, 'both must differ')
      const [seen5, own5] = await Promise.all([fastify5.attack(index), framework5.attack(index)])
      // A vulnerability that Fastify 5 still has is fixed in both of ours.
      const isOpen =
        isDeepStrictEqual(seen5, seen) || seen5.some((line) => line.startsWith('the process ends'))
      assert.deepEqual(own5, isOpen && own !== 'same' ? own : seen5)
    })
  }
}
