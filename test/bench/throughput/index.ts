/**
 * `npm run bench:throughput [-- --rounds 7 --requests 20000 --cases hello,body]`
 *
 * Requests that a server answers per second of its own CPU time, from ten keep-alive connections. On a machine
 * with few cores the client is the bottleneck, so requests per second of the clock would say little. Each round
 * has fresh processes; rates and ratios are medians over the rounds, each ratio taken within one round.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Case, cases } from './cases.ts'
import { type Contestant, measureRound } from './measure.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    requests: { type: 'string', default: '20000' },
    cases: { type: 'string', default: '' },
  },
})
const rounds = Number(values.rounds)
const requests = Number(values.requests)
const words = values.cases.split(',')

const contestants = prepareContestants()
console.log(`node ${process.version}, ${rounds} rounds of ${requests} requests\n`)
const rows: Record<string, Record<string, string>> = {}
for (const each of cases.filter(({ name }) => words.some((word) => name.includes(word)))) {
  rows[each.name] = await compare(each)
}
console.table(rows)

async function compare(each: Case): Promise<Record<string, string>> {
  const rates: number[][] = []
  for (let round = 0; round < rounds; round++) {
    rates.push(await measureRound(contestants, each, requests))
  }
  const median = (of: (raw: number, fastify: number, framework: number) => number): number =>
    medianOf(rates.map((round) => of(...(round as [number, number, number]))))
  return {
    'raw/s': median((raw) => raw).toFixed(0),
    'fastify/s': median((_raw, fastify) => fastify).toFixed(0),
    'framework/s': median((_raw, _fastify, framework) => framework).toFixed(0),
    'fastify to raw': median((raw, fastify) => fastify / raw).toFixed(2),
    'framework to raw': median((raw, _fastify, framework) => framework / raw).toFixed(2),
    'framework to fastify': median((_raw, fastify, framework) => framework / fastify).toFixed(2),
  }
}

function prepareContestants(): readonly Contestant[] {
  const dist = fileURLToPath(new URL('../../../', import.meta.url))
  const out = join(dist, 'bench/throughput')
  const source = join(dist, '../test/bench/throughput/application.ts')
  const build = [join(dist, 'cli/main.js'), 'build', source, '--out', out]
  const { status, stdout, stderr } = spawnSync(process.execPath, build, { encoding: 'utf8' })
  assert.equal(status, 0, `framework build failed:\n${stdout}${stderr}`)
  const oracle = new URL('../../support/oracle.js', import.meta.url).href
  return [
    { server: 'raw', nodeFlags: [] },
    { server: 'application', nodeFlags: ['--import', oracle] },
    {
      server: 'application',
      nodeFlags: ['--disallow-code-generation-from-strings', '--import', join(out, 'register.js')],
    },
  ]
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
}
