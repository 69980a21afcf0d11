/**
 * A server under mixed load: valid, invalid, aborted, slow and oversized requests over many connections. It must not crash or leak, no
 * request may get the answer to another one, and `close` must answer what was accepted.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../support/command-runs.ts'
import { nextMessage } from '../support/next-message.ts'
import { NoAnswer, Wire } from '../support/wire.ts'
import { type Exchange, exchanges, orderly, Refused } from './requests.ts'
import type { Command, Message } from './serve.ts'

const CONNECTIONS = 200

const dist = fileURLToPath(new URL('../../', import.meta.url))
const artifact = join(dist, 'load')

before(() => {
  const source = join(dist, '../test/load/application.ts')
  const { status, stderr } = runCommand(dist, ['build', source, '--out', artifact])
  assert.equal(status, 0, stderr)
})

/** A server in a process of its own, which may generate no code. */
class Server {
  readonly child: ChildProcess
  /** The output on stderr. */
  complaints = ''

  constructor(mode: 'sustained' | 'closing') {
    const flags = ['--disallow-code-generation-from-strings', '--expose-gc']
    this.child = fork(fileURLToPath(new URL('./serve.js', import.meta.url)), [mode], {
      execArgv: [...flags, '--import', join(artifact, 'register.js')],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    this.child.stderr?.on('data', (data: Buffer) => (this.complaints += data.toString()))
  }

  /** Sends a command and waits for its answer; without a command, for the port. */
  ask(command?: Command): Promise<Message> {
    if (command !== undefined) this.child.send(command)
    return nextMessage<Message>(this.child)
  }
}

/** Keeps connections busy until `isOver`; `onError` gets descriptions of failures. */
async function load(
  port: number,
  kinds: Readonly<Record<string, Exchange>>,
  isOver: (client: Wire) => boolean,
  onError: (error: unknown, id: string) => string | undefined,
): Promise<string[]> {
  const faults: string[] = []
  const list = Object.entries(kinds)
  let lastId = 1_000_000
  const work = async (index: number): Promise<void> => {
    let client = new Wire(port)
    for (let turn = index; !isOver(client); turn++) {
      // Every second exchange is an ordinary one.
      const place = turn % 2 === 0 ? (turn >> 1) % list.length : 0
      const [name, exchange] = list[place] as (typeof list)[number]
      const id = String(++lastId)
      if (!client.isOpen) client = new Wire(port)
      try {
        await exchange(client, id)
      } catch (error) {
        const fault = onError(error, id)
        if (fault !== undefined) faults.push(`${name}: ${fault}`)
        client.destroy()
      }
    }
    client.destroy()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => work(index)))
  return faults
}

test('a minute of load: each request gets its own answer, and memory settles', async () => {
  const server = new Server('sustained')
  const { port = 0 } = await server.ask()
  const start = Date.now()
  let isOver = false
  const working = load(
    port,
    exchanges,
    () => isOver,
    (error) => (error as Error).message,
  )
  const sizes: number[][] = [[], [], [], [], []]
  let heapAtStart = 0
  for (let window = 0; window < sizes.length; window++) {
    for (; Date.now() < start + 12_000 * (window + 1); await sleep(100)) {
      sizes[window]?.push((await server.ask('rss')).size ?? 0)
    }
    if (window === 0) heapAtStart = (await server.ask('heap')).size ?? 0
  }
  isOver = true
  assert.deepEqual(await working, [])
  // Until the server has noticed that the connections are gone.
  await sleep(500)
  const { size: heapAtEnd = 0 } = await server.ask('heap')
  const ended = once(server.child, 'exit')
  await server.ask('close')
  assert.equal((await ended)[0], 0)
  assert.equal(server.complaints, '')
  const [, , middle = 0, , last = 0] = sizes.map(
    (window) => window.sort((a, b) => a - b)[window.length >> 1],
  )
  assert.ok(last < middle * 1.1 + 8, `resident memory grows from ${middle} to ${last} MiB`)
  assert.ok(heapAtEnd < heapAtStart * 1.1 + 1, `${heapAtStart} MiB in use, ${heapAtEnd} afterwards`)
})

test('a server that closes under load answers what it has accepted', async () => {
  for (let round = 0; round < 10; round++) {
    const server = new Server('closing')
    const { port = 0 } = await server.ask()
    const unanswered = new Set<string>()
    const working = load(
      port,
      orderly,
      (client) => !client.isOpen,
      (error, id) => {
        if (error instanceof NoAnswer) unanswered.add(id)
        return error instanceof NoAnswer || error instanceof Refused
          ? undefined
          : (error as Error).message
      },
    )
    await sleep(500 + 37 * round)
    const ended = once(server.child, 'exit')
    const { accepted = [] } = await server.ask('close')
    const exit = await Promise.race([ended, sleep(5000, ['no end'], { ref: false })])
    server.child.kill('SIGKILL')
    assert.deepEqual(await working, [])
    assert.equal(exit[0], 0)
    assert.equal(server.complaints, '')
    const lost = accepted.filter((id) => unanswered.has(id))
    assert.deepEqual(lost, [])
  }
})
