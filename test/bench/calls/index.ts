/**
 * `npm run bench:calls [-- --rounds 7 filter ...]`
 *
 * What a call of a validator or serializer costs: compiled ahead of time against compiled in process by Fastify.
 */
import { parseArgs } from 'node:util'
import { measureCalls, tableOf } from './measure.ts'

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '7' } },
  allowPositionals: true,
})
console.log(`node ${process.version}: a call, in ns, medians of ${values.rounds} processes each`)
console.table(tableOf(await measureCalls(Number(values.rounds), positionals)))
