/**
 * `npm run bench:calls [-- --node 24 --rounds 7 --line fastify@5 filter ...]`
 *
 * What a call of a validator or serializer costs: compiled ahead of time against compiled in process by Fastify, 4.21
 * unless `--line` says `fastify@4` or `fastify@5`. `--node` takes a major, which npm has the binary of; without it, the
 * one that runs this.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Line } from '../../../runtime/artifact/lines.ts'
import { nodeBinary } from '../../nodes/install.ts'
import { measureCalls, tableOf } from './measure.ts'

const { values, positionals } = parseArgs({
  options: {
    node: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    line: { type: 'string', default: 'framework' },
  },
  allowPositionals: true,
})
const node = values.node === undefined ? process.execPath : nodeBinary(values.node)
const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
console.log(`node ${version}: a call, in ns, medians of ${values.rounds} pairs of processes each`)
const costs = await measureCalls({
  rounds: Number(values.rounds),
  filters: positionals,
  line: values.line as Line,
  node,
})
console.table(tableOf(costs))
