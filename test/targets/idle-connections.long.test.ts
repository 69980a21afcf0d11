/** A connection on which nothing happens is closed, except while the application takes its time. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createWorkshop } from '../support/workshop.ts'
import { serve, type Served } from './servers.ts'

const shop = createWorkshop({ after }, 'cli/empty', {
  'app.js': `import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import framework from 'framework/5'
export const app = framework({ keepAliveTimeout: 1000 })
app.get('/', async () => 'whole')
app.get('/slow', async () => { await sleep(12_000); return 'whole' })
app.post('/', async ({ body }) => body)
app.get('/stream', (_, reply) => reply.send(Readable.from((async function* () {
  yield 'one '
  await sleep(12_000)
  yield 'whole'
})())))
`,
})

const requests: Readonly<Record<string, string>> = {
  'a whole answer': 'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
  'a late answer': 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n',
  'a stream with a pause': 'GET /stream HTTP/1.1\r\nhost: a\r\n\r\n',
  'an answer to a body':
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 7\r\n\r\n"whole"',
}

/** Returns what comes over a connection until the server closes it. */
async function answerOn(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += String(bytes)))
  socket.write(text)
  await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })
  return answer
}

for (const target of ['node', 'bun'] as const) {
  test(`${target} closes connections that are idle, and no others`, async () => {
    shop.succeed('deploy', 'app.js', '--target', target, '--out', target)
    const { port, stop } = await (serve[target] as (folder: string) => Promise<Served>)(
      join(shop.folder, target),
    )
    try {
      await Promise.all(
        Object.entries(requests).map(async ([name, text]) =>
          assert.match(await answerOn(port, text), /^HTTP\/1.1 200 .*whole/s, name),
        ),
      )
      if (target === 'bun') assert.equal(await answerOn(port, 'GET / HT'), '')
    } finally {
      await stop()
    }
  })
}
