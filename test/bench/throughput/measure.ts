import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { Case } from './cases.ts'

export interface Contestant {
  readonly server: 'raw' | 'application'
  readonly nodeFlags: readonly string[]
}

const turns = 10

const serve = fileURLToPath(new URL('./serve.js', import.meta.url))

/**
 * Requests per second of CPU time that each contestant answers, in a fresh process. The processes live at the
 * same time and take short turns: what else the machine does then falls on all of them alike.
 */
export async function measureRound(
  contestants: readonly Contestant[],
  each: Case,
  requests: number,
): Promise<number[]> {
  const children = contestants.map(({ server, nodeFlags }) =>
    fork(serve, [server], { execArgv: [...nodeFlags] }),
  )
  try {
    const origins = await Promise.all(children.map(originOf))
    for (const origin of origins) await checkAnswer(origin, each)
    for (const origin of origins) await load(origin, each, requests)
    const before = await Promise.all(children.map(cpuTimeOf))
    for (let turn = 0; turn < turns; turn++) {
      for (const origin of origins) await load(origin, each, requests / turns)
    }
    const after = await Promise.all(children.map(cpuTimeOf))
    return after.map((cpu, index) => (1000 * requests) / (cpu - (before[index] as number)))
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

async function originOf(child: ChildProcess): Promise<string> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return `http://127.0.0.1:${port}`
}

async function load(origin: string, each: Case, requests: number): Promise<void> {
  const { method, path, headers, body, status } = each
  const result = await autocannon({
    url: origin + path,
    method,
    ...(headers && { headers: { ...headers } }),
    ...(body !== undefined && { body }),
    amount: requests,
    connections: 10,
    // It only looks this often whether it is done.
    sampleInt: 20,
  })
  const kind = status === 200 ? '2xx' : '4xx'
  assert.deepEqual([result.errors, result[kind]], [0, requests])
}

async function checkAnswer(origin: string, each: Case): Promise<void> {
  const { method, path, headers, body = null, status, answer } = each
  const response = await fetch(origin + path, { method, body, ...(headers && { headers }) })
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(await response.json(), answer)
}

async function cpuTimeOf(child: ChildProcess): Promise<number> {
  child.send('cpu')
  const [{ cpu }] = (await once(child, 'message')) as [{ cpu: number }]
  return cpu
}
