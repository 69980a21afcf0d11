/**
 * `npm run bench:guard [-- commit --rows hello,start --rounds 3 --runs 15]`
 *
 * Compares the cheap rows of `bench:throughput`, `bench:edge` and `bench:cold-start` with those of another commit, in turns, and prints
 * what has changed by more than 5 %. The commit is the last release, or `HEAD` as long as there is none. Linux.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../../support/root.ts'
import { nodeBinary } from '../../targets/installed.ts'
import { generateApplication, sampleRequest } from '../application.ts'
import { median } from '../figures.ts'
import { frameworkOf, plural } from '../prepare.ts'
import { nodeContestant, race } from '../startup.ts'
import { ours } from '../throughput/contestants.ts'
import { measureRound } from '../throughput/load.ts'
import { rows } from '../throughput/rows.ts'
import { checkout } from './checkout.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '15' },
  },
})
const [commit = lastRelease()] = positionals
const node = nodeBinary('24')
const checkouts = [checkout(commit), root]

/** Each measures the costs of both checkouts. */
const measurements: Record<string, () => Promise<readonly (readonly number[])[]>> = {}
for (const platform of ['node', 'bun'] as const) {
  for (const row of rows.filter(({ name }) => /^(?:hello|params|large)/.test(name))) {
    measurements[`${row.name} on ${platform}`] = async () => {
      const contestants = await Promise.all(checkouts.map((each) => ours(platform, node, each)))
      const turns: (readonly number[])[] = []
      for (let round = 0; round < Number(values.rounds); round++)
        turns.push(...(await measureRound(contestants, row, 2)))
      return turns
    }
  }
}
for (const count of [1, 1000]) {
  measurements[`start of ${plural(count)}`] = async () => {
    const contestants = checkouts.map((each) => nodeContestant(each, starting(each, count), node))
    const raw = nodeContestant('raw', [join(applicationFolder(root, count), 'raw.mjs')], node)
    const costs = await race([raw, ...contestants], sampleRequest, Number(values.runs))
    return [[...costs.values()].slice(1).map(({ cpu }) => cpu)]
  }
}

const changes: Record<string, { 'change in %': number }> = {}
for (const [name, measure] of Object.entries(measurements)) {
  if (!values.rows.split(',').some((word) => name.includes(word))) continue
  const ratios = (await measure()).map(([before = 0, after = 0]) => after / before)
  changes[name] = { 'change in %': Math.round(1000 * (median(ratios) - 1)) / 10 }
}
console.log(`CPU time compared with ${commit}; Node 24, and Bun`)
console.table(changes)
const changed = Object.entries(changes).filter(([, row]) => Math.abs(row['change in %']) > 5)
console.log(`Changed by more than 5 %: ${changed.map(([name]) => name).join(', ') || 'nothing'}`)

function lastRelease(): string {
  const tags = execFileSync('git', ['tag', '--sort=-v:refname'], { cwd: root, encoding: 'utf8' })
  return tags.split('\n')[0] || 'HEAD'
}

/** Builds an application of many routes. Returns Node's arguments that start it. */
function starting(folder: string, count: number): readonly string[] {
  const own = applicationFolder(folder, count)
  const { entry } = generateApplication(own, count, 'loop')
  const out = join(own, '.framework')
  frameworkOf(folder, 'build', entry, '--out', out)
  return ['--import', join(out, 'register.js'), join(own, 'framework.mjs')]
}

function applicationFolder(folder: string, count: number): string {
  return join(folder, 'dist/bench/guard', String(count))
}
