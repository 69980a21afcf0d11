/**
 * `npm run bench:workerd [-- --runs 11 --routes 1,100,1000 --style loop|literal]`; Linux only.
 *
 * Measures what a fresh workerd costs from its start to the first validated and serialized response of one Worker.
 */
import { parseArgs } from 'node:util'
import { sampleRequest, type Style } from '../application.ts'
import { plural } from '../prepare.ts'
import { type Cost, race, rounded } from '../startup.ts'
import { prepare } from './contestants.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '11' },
    routes: { type: 'string', default: '1,100,1000' },
    style: { type: 'string', default: 'loop' },
  },
})
console.log(`${values.runs} runs each, medians; beyond a plain handler, what the others add\n`)
for (const count of values.routes.split(',').map(Number)) {
  const contestants = await prepare(count, values.style as Style)
  const costs = await race(contestants, sampleRequest, Number(values.runs))
  const rows = contestants.map(({ name, bytes }) => {
    const cost = rounded(costs.get(name) as Cost)
    return [name, { ...cost, 'kB of source': Math.round(bytes / 1000) }]
  })
  console.log(plural(count))
  console.table(Object.fromEntries(rows))
}
