/**
 * A package that takes over connections works where requests come over them, and is warned of where they come without:
 * all of them in `npm run test:all`, a sample in `npm test`.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, get } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'
import { serve, type Served } from './servers.ts'
import { runsAll } from '../support/runs.ts'

const shop = createWorkshop({ after }, 'deploy/chat')
shop.install('@fastify')

/** Gives the folder, and what the command warns of. */
function deploy(target: string, entry: string): readonly [folder: string, warnings: string] {
  const out = `${target}-${entry}`
  const { status, stderr } = shop.framework('deploy', entry, '--target', target, '--out', out)
  assert.equal(status, 0, stderr)
  return [join(shop.folder, out), stderr]
}

/** Returns the status of the answer to an upgrade to a web socket: 101 if it is accepted. */
async function statusOf(port: number): Promise<number | undefined> {
  const headers = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const request = get({ port, host: '127.0.0.1', path: '/live', headers, agent: false })
  const events = ['upgrade', 'response'].map((event) => once(request, event))
  const [answer] = (await Promise.race(events)) as [IncomingMessage]
  request.destroy()
  return answer.statusCode
}

const warning =
  /app\.js:1:24 {2}AOT_TARGET_CONNECTIONS\n +"@fastify\/websocket" takes over connections, and on \w+ requests arrive without them \(app\.js > @fastify\/websocket\)/

const quick = [
  ['node', 'app.js', 101],
  ['lambda', 'app.js', undefined],
] as const
const slow = [
  ['deno', 'server.js', 101],
  ['bun', 'server.js', 101],
] as const

for (const [target, entry, status] of runsAll ? [...quick, ...slow] : quick) {
  const what = status === 101 ? 'upgrades connections' : 'is warned of'
  test(`@fastify/websocket on ${target}, by ${entry}, ${what}`, async () => {
    const [folder, warnings] = deploy(target, entry)
    if (status === 101) assert.doesNotMatch(warnings, /AOT_TARGET/)
    else return assert.match(warnings, warning)
    const { port, stop } = await (serve[target] as (folder: string) => Promise<Served>)(folder)
    try {
      assert.equal(await statusOf(port), status)
    } finally {
      await stop()
    }
  })
}
