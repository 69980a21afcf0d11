import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Contestant } from './contestants.ts'
import { Load } from './load.ts'
import type { Row } from './rows.ts'

const turns = 10

/**
 * Megabytes of each half of V8's young generation: as many as it grows to, in a server that has answered some hundred thousand
 * requests. Before that, a contestant that allocates more while starting is ahead.
 */
const semiSpace = 16
const connections = 20

/**
 * After so many answers V8 has compiled what it will: before, a request takes up to three times what it takes then. Node 26 is
 * the last to: ten hooks take two fifths more instructions after 20,000.
 */
const warmUp = 60_000

/** Warm up in turns too: on Node 22 a process that has been idle for half a minute answers streams up to a third more slowly from then on. */
const warmUpTurn = 2_000

const serve = fileURLToPath(new URL('./serve.js', import.meta.url))

/**
 * CPU time per request of each contestant, in microseconds, for each turn. The processes are fresh and live at the
 * same time; their turns are short: what else the machine does then falls on all of them alike.
 */
export async function measureRound(
  node: string,
  contestants: readonly Contestant[],
  row: Row,
  seconds: number,
): Promise<readonly (readonly number[])[]> {
  const children = contestants.map(({ modules, flagsOf }) =>
    fork(serve, [modules[row.program]], {
      execPath: node,
      execArgv: [`--min-semi-space-size=${semiSpace}`, ...flagsOf(row.program)],
      env: { ...process.env, NODE_ENV: 'production' },
    }),
  )
  try {
    const ports = await Promise.all(children.map(portOf))
    const cpuTime = (index: number): Promise<number> => cpuTimeOf(children[index] as ChildProcess)
    return await measureTurns(ports, row, { seconds, warmUp, cpuTime })
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

export interface TurnOptions {
  /** For each contestant, in all turns together. */
  readonly seconds: number
  /** The number of answers before the first turn. */
  readonly warmUp: number
  /** The CPU time that a contestant has used so far, in microseconds. */
  cpuTime(index: number): number | Promise<number>
}

/** CPU time per request of each server, in microseconds, for each turn. */
export async function measureTurns(
  ports: readonly number[],
  row: Row,
  { seconds, warmUp, cpuTime }: TurnOptions,
): Promise<readonly (readonly number[])[]> {
  for (const port of ports) await checkAnswer(port, row)
  const loads = await Promise.all(ports.map((port) => Load.open(port, row, connections)))
  for (let turn = 0; turn < warmUp / warmUpTurn; turn++) {
    for (const load of loads) await load.warmUp(warmUpTurn)
  }
  const costs: number[][] = []
  for (let turn = 0; turn < turns; turn++) {
    const cost: number[] = []
    for (const [index, load] of loads.entries()) {
      const before = await cpuTime(index)
      const count = await load.run((1000 * seconds) / turns)
      cost.push(((await cpuTime(index)) - before) / count)
    }
    costs.push(cost)
  }
  for (const load of loads) load.close()
  return costs
}

async function portOf(child: ChildProcess): Promise<number> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return port
}

async function checkAnswer(port: number, row: Row): Promise<void> {
  const { method, path, headers, body = null, status, contentType, answer } = row
  const url = `http://127.0.0.1:${port}${path}`
  const response = await fetch(url, { method, body, ...(headers && { headers }) })
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), contentType)
  const given = typeof answer === 'string' ? await response.text() : await response.json()
  assert.deepEqual(given, answer)
}

async function cpuTimeOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }]
  return cpu
}
