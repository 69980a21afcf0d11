/** Applications that are deployed to other runtimes than Node answer as on Fastify 4.21. */
import { testByFetch } from '../parity/by-fetch.ts'
import { bunDifferences, bunWords, denoDifferences } from './known-differences.ts'
import { tested } from './rows.ts'
import { deployedBun, deployedDeno } from './servers.ts'

const targets = [
  ['deno', deployedDeno, denoDifferences, undefined],
  ['bun', deployedBun, bunDifferences, bunWords],
] as const

for (const [target, engine, differences, words] of targets) {
  for (const [name, expected] of Object.entries(tested[target])) {
    testByFetch(engine, name, differences, { expected, ...(words && { words }) })
  }
}
