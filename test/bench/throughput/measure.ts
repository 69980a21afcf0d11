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

const serve = fileURLToPath(new URL('./serve.js', import.meta.url))

/** Requests per second of CPU time of a fresh server process, after as many to warm it up. */
export async function measure(
  { server, nodeFlags }: Contestant,
  each: Case,
  requests: number,
): Promise<number> {
  const child = fork(serve, [server], { execArgv: [...nodeFlags] })
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    const origin = `http://127.0.0.1:${port}`
    await checkAnswer(origin, each)
    await load(origin, each, requests)
    const before = await cpuTimeOf(child)
    await load(origin, each, requests)
    return (1000 * requests) / ((await cpuTimeOf(child)) - before)
  } finally {
    child.kill('SIGKILL')
  }
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
