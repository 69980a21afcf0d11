/**
 * A fault at each function that a request runs, in each way: no request ends the process, each gets one answer, nothing is left
 * behind. Where Fastify survives, the answer is the same.
 *
 * Each place is tried in each way, at one of the paces and by one of the transports in turn; `TESTS=all npm test -- faults`
 * tries all of them. `LINE=5` compares `framework/5` with Fastify 5.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Cell, cells } from './cells.ts'
import type { Outcome, Task } from './child.ts'
import { differences } from './known-differences.ts'
import { judge, type Result } from './judge.ts'
import { sites } from './sites.ts'
import { CaseProcess } from '../support/case-process.ts'
import { runsAll } from '../support/runs.ts'

const isLine5 = process.env['LINE'] === '5'
const framework = processOf(isLine5 ? 'framework/5' : 'framework')
const fastify = processOf(isLine5 ? 'fastify-5' : 'fastify')
after(() => {
  framework.stop()
  fastify.stop()
})

/**
 * Milliseconds that Fastify gets to answer. It often never does: few suffice to tell, unless the machine is busy, so that
 * Fastify gets a second try before anything counts as a problem.
 */
const SHORT = 150
const LONG = 3000
/** Milliseconds after which ours has no answer. */
const OURS = 5000

const chosen = runsAll ? cells : chooseInTurn(cells)

for (const site of sites.keys()) {
  const group = chosen.filter((cell) => cell.site === site)
  test(`${site}: one answer, whatever goes wrong there`, async () => {
    const problems: string[] = []
    let faults = 0
    for (const cell of group) {
      const [ours, oracle] = await Promise.all([
        run(framework, cell, OURS),
        run(fastify, peerOf(cell), SHORT),
      ])
      faults += 'died' in ours ? 1 : ours.faults
      const problem =
        problemOf(cell, ours, oracle) &&
        problemOf(cell, ours, await run(fastify, peerOf(cell), LONG))
      if (problem !== undefined) problems.push(problem)
    }
    assert.deepEqual(problems, [])
    assert.ok(faults > 0, 'the function is never called')
  })
}

function processOf(name: string): CaseProcess<Task, Outcome> {
  return new CaseProcess({
    file: new URL('child.js', import.meta.url),
    args: [name],
    patience: 20_000,
  })
}

async function run(engine: typeof framework, cell: Cell, patience: number): Promise<Result> {
  const { seen, died = '' } = await engine.run({ index: cells.indexOf(cell), patience })
  return seen[0] ?? { died }
}

function problemOf(cell: Cell, ours: Result, oracle: Result): string | undefined {
  const problem = judge(cell, ours, oracle)
  const isKnown = problem !== undefined && differences.some(({ pattern }) => pattern.test(problem))
  return isKnown ? undefined : problem
}

/** Chooses one cell of each place and way, and all that need nothing but a request. */
function chooseInTurn(all: readonly Cell[]): Cell[] {
  const pairs = new Map<string, Cell[]>()
  for (const cell of all) {
    const pair = `${cell.site} ${cell.end}`
    pairs.set(pair, [...(pairs.get(pair) ?? []), cell])
  }
  return [...pairs.values()].flatMap((group, i) =>
    group[0]?.site.startsWith('deep') ? group : [group[(i * 5) % group.length] as Cell],
  )
}

/** Fastify does not serve `fetch`: an injected request shows what it answers. */
function peerOf(cell: Cell): Cell {
  if (cell.transport !== 'fetch') return cell
  return cells.find(
    ({ site, end, pace, transport }) =>
      site === cell.site && end === cell.end && pace === cell.pace && transport === 'inject',
  ) as Cell
}
