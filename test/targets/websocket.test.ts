/**
 * @fastify/websocket on platforms that have sockets of their own works as on Node: the same messages, close codes and order of hooks.
 * All platforms in `npm run test:all`, workerd in `npm test`.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import WebSocket from 'ws'
import { runsAll } from '../support/runs.ts'
import { createWorkshop } from '../support/workshop.ts'
import { serve, type Served } from './servers.ts'

const shop = createWorkshop({ after }, 'deploy/chat')
shop.install('@fastify')

interface Talk {
  readonly path: string
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent one after the other, each after the answer to the one before. */
  readonly messages?: readonly (string | Uint8Array)[]
  /** How the client ends, if the server doesn't. */
  end?(socket: WebSocket): void
}

const close = (...args: readonly unknown[]): string => `close${JSON.stringify(args)}`

const talks: Readonly<Record<string, Talk>> = {
  'a subprotocol': { path: '/live?room=1', protocols: ['chat.v1', 'chat.v2'] },
  'no common subprotocol': { path: '/live?room=1', protocols: [] },
  'texts and bytes': {
    path: '/live?room=2',
    messages: ['', 'é😀', Uint8Array.of(0, 255), new Uint8Array(0)],
  },
  'long messages': {
    path: '/live',
    messages: ['x'.repeat(126), 'é'.repeat(40_000), new Uint8Array(70_000)],
  },
  'a message in parts, and a ping': { path: '/live', messages: ['parts', 'ping'] },
  'a message that is too long': { path: '/live', messages: ['x'.repeat(100_001)] },
  'the client closes': { path: '/live', end: (socket) => socket.close(4001, 'bye é') },
  'the client closes without a code': { path: '/live', end: (socket) => socket.close() },
  'the client is gone': { path: '/live', end: (socket) => socket.terminate() },
  'the server closes': { path: '/live', messages: [close(4002, 'enough')] },
  'the server goes away': { path: '/live', messages: [close(1001)] },
  'the server closes without a code': { path: '/live', messages: [close()] },
  'the server ends the connection': { path: '/live', messages: ['end'] },
  'a query that is invalid': { path: '/live?room=none' },
  'a hook that refuses': { path: '/live?key=wrong' },
  'a route without sockets': { path: '/plain' },
  'no route': { path: '/none' },
  'a handler that throws': { path: '/throws' },
}

function ofCode(seen: unknown[], code: number): unknown[] {
  return JSON.parse(JSON.stringify(seen).replaceAll('1005', String(code))) as unknown[]
}

/** A handler answers with the platform's own socket, after hooks and validation. */
async function ownSocket(port: number, target: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live?room=1`)
  const [[{ headers }]] = (await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])) as [
    [IncomingMessage],
    unknown,
  ]
  // Deno takes the `Response` only as it is.
  if (target === 'workerd') assert.equal(headers['x-note'], 'own')
  socket.send('hello')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  assert.equal(answer.toString(), 'echo hello')
  socket.close()
  await once(socket, 'close')
  const refused = new WebSocket(`ws://127.0.0.1:${port}/live?room=none`)
  const [error] = (await once(refused, 'error')) as [Error]
  assert.match(error.message, /400/)
  const notes = (await (await fetch(`http://127.0.0.1:${port}/notes`)).json()) as string[]
  const before = ['onRequest', 'preValidation']
  const afterwards = ['onSend', 'onResponse']
  assert.deepEqual(notes.slice(0, 9), [
    ...before,
    'preHandler',
    ...afterwards,
    ...before,
    ...afterwards,
  ])
}

const closes = new Set(['the server closes without a code', 'a route without sockets'])
const terminates = new Set(['the server ends the connection', 'a handler that throws'])

/** Returns what a client sees of a server: its messages, then how it ends; and what the application notes. */
async function talk(
  port: number,
  { path, protocols = [], headers = {}, messages = [], end }: Talk,
): Promise<unknown[]> {
  const seen: unknown[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [...protocols], { headers })
  const left = [...messages]
  socket.on('unexpected-response', (_request, response) => {
    const { statusCode, headers: got } = response
    response
      .setEncoding('utf8')
      .on('data', (text) => seen.push(statusCode, got['x-reason'], got['content-type'], text))
    response.on('end', () => socket.terminate())
  })
  socket.on('upgrade', () => seen.push('upgraded'))
  socket.on('message', (data: Buffer, isBinary) => {
    seen.push(isBinary ? data.toString('hex') : data.toString())
    const next = left.shift()
    if (next !== undefined) socket.send(next)
    else if (end !== undefined) end(socket)
    else if (!messages.some((one) => String(one).startsWith('close'))) socket.close()
  })
  socket.on('error', () => {})
  await new Promise((end) => {
    socket.on('close', (code, reason) => end(seen.push(code, reason.toString())))
  })
  // The server may notice the end later than the client.
  await wait(100)
  return [...seen, await (await fetch(`http://127.0.0.1:${port}/notes`)).json()]
}

async function deployed(target: string, entry = 'app.js'): Promise<Served> {
  const out = join(shop.folder, `${target}-${entry}`)
  const { status, stderr } = shop.framework('deploy', entry, '--target', target, '--out', out)
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /AOT_TARGET/)
  return (serve[target] as (folder: string) => Promise<Served>)(out)
}

let node: Served
before(async () => void (node = await deployed('node')))
after(() => node.stop())

for (const target of runsAll ? ['workerd', 'deno', 'bun'] : ['workerd']) {
  test(`@fastify/websocket on ${target}`, async (t) => {
    const server = await deployed(target)
    t.after(() => server.stop())
    for (const [name, one] of Object.entries(talks)) {
      await t.test(name, { timeout: 10_000 }, async () => {
        const expected = await talk(node.port, one)
        // Only Bun can end a connection without a close frame.
        if (terminates.has(name) && target !== 'bun')
          assert.equal(expected.splice(expected.indexOf(1006), 1, 1011).length, 1)
        const seen = await talk(server.port, one)
        // Bun's own function sends a code if it gets none.
        const sendsCode = target === 'bun' && closes.has(name)
        assert.deepEqual(seen, sendsCode ? ofCode(expected, 1000) : expected)
      })
    }
    await t.test('its sockets are closed when the server is stopped', async () => {
      if (target === 'workerd') return
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
      await once(socket, 'message')
      const [, [code]] = await Promise.all([server.stop(), once(socket, 'close')])
      assert.ok([1000, 1001, 1005].includes(code as number))
    })
  })
}

for (const target of runsAll ? ['workerd', 'deno'] : ['workerd']) {
  test(`a Response with the own socket of ${target}`, { timeout: 60_000 }, async (t) => {
    const server = await deployed(target, 'own.js')
    t.after(() => server.stop())
    await ownSocket(server.port, target)
  })
}
