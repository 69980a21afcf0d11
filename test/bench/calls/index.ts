/**
 * `npm run bench:calls [-- --rounds 7 --line fastify@5 filter ...]`
 *
 * What a call of a validator or serializer costs: compiled ahead of time against compiled in process by Fastify, 4.21
 * unless `--line` says `fastify@4` or `fastify@5`.
 */
import { parseArgs } from 'node:util'
import type { Line } from '../../../runtime/artifact/lines.ts'
import { measureCalls, tableOf } from './measure.ts'

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    line: { type: 'string', default: 'framework' },
  },
  allowPositionals: true,
})
console.log(`node ${process.version}: a call, in ns, medians of ${values.rounds} processes each`)
console.table(tableOf(await measureCalls(Number(values.rounds), positionals, values.line as Line)))
