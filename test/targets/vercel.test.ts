/** Functions of a request and a response answer as Fastify 4.21: all of them in `npm run test:all`, a sample in `npm test`. */
import { testByFetch } from '../parity/by-fetch.ts'
import { appNames, projectNames } from '../support/engines.ts'
import { deployedVercel } from './vercel.ts'
import { runsAll } from '../support/runs.ts'

for (const name of runsAll ? [...appNames, ...projectNames] : ['plugin-entry']) {
  testByFetch(deployedVercel('unread'), name, [], { expected: name === 'plugins/csrf' ? 30 : 100 })
}

for (const name of runsAll ? ['bookshop', 'post-office'] : ['commonjs']) {
  testByFetch(deployedVercel('read'), name, [], { expected: 100 })
}
