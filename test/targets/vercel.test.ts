/** Functions of a request and a response answer as Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { test } from 'node:test'
import { assertParityByFetch } from '../parity/by-fetch.ts'
import { appNames, projectNames } from '../support/engines.ts'
import { deployedVercel } from './vercel.ts'
import { runsAll } from '../support/runs.ts'

const expectedOf = (name: string): number => (name === 'plugins/csrf' ? 30 : 100)

for (const name of runsAll ? [...appNames, ...projectNames] : ['plugin-entry']) {
  test(`${name}: as a function, it answers like fastify@4.21`, async (t) => {
    const engine = deployedVercel('unread')
    const count = await assertParityByFetch(engine, name, [], {
      every: 1,
      expected: expectedOf(name),
    })
    t.diagnostic(`${count} requests`)
  })
}

for (const name of runsAll ? ['bookshop', 'post-office'] : ['commonjs']) {
  test(`${name}: as a function that gets bodies read, it answers like fastify@4.21`, async (t) => {
    const engine = deployedVercel('read')
    const count = await assertParityByFetch(engine, name, [], { every: 1, expected: 100 })
    t.diagnostic(`${count} requests`)
  })
}
