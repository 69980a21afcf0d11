/** Requests and answers by `fetch`, in this process and in the real workerd: one list for both. targets/workerd.test.ts has more. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleWorker } from '../../../support/bundle-worker.ts'
import { serveWorker, type Workerd } from '../../../support/workerd.ts'
import { createWorkshop } from '../../../support/workshop.ts'

type Ask = (path: string, init?: RequestInit & { duplex?: 'half' }) => Promise<Response>

const GREETING = 'hello'

const depot = createWorkshop({ after }, 'workers/depot')
before(() => {
  depot.succeed('build', 'app.js')
})

describe('in this process', () => {
  let ask: Ask
  before(async () => {
    const { default: worker } = (await import(pathToFileURL(`${depot.folder}/worker.js`).href)) as {
      default: { fetch(request: Request, env: object): Promise<Response> }
    }
    ask = (path, init) => worker.fetch(new Request(`https://depot.test${path}`, init), { GREETING })
  })
  behaviour((...args) => ask(...args))

  test("an answer that can't be a Response is an error of the call", async () => {
    await assert.rejects(ask('/status/101'), RangeError)
    await assert.rejects(ask('/destroyed'), /destroyed before it was complete/)
  })

  test('a request shows that its client uses TLS', async () => {
    const { protocol, encrypted } = (await (await ask('/caller')).json()) as Record<string, unknown>
    assert.deepEqual({ protocol, encrypted }, { protocol: 'https', encrypted: true })
  })

  test('an aborted call runs the hooks for it', async () => {
    await eventsOf(ask)
    const controller = new AbortController()
    const early = ask('/late', { signal: AbortSignal.timeout(20) })
    await assert.rejects(early, /destroyed before it was complete/)
    const { body } = await ask('/endless', { signal: controller.signal })
    await body?.getReader().read()
    controller.abort()
    const events = (await eventsSoon(ask, 3)).sort()
    assert.deepEqual(events, ['aborted', 'aborted before the answer', 'source destroyed'])
  })
})

describe('in workerd', () => {
  let workerd: Workerd
  let ask: Ask
  before(async () => {
    const source = await bundleWorker(depot.read('worker.js'), { folder: depot.folder })
    workerd = await serveWorker(source, { bindings: { GREETING } })
    ask = (path, init) => fetch(`http://127.0.0.1:${workerd.port}${path}`, init)
  })
  after(() => workerd.stop())
  behaviour((...args) => ask(...args))

  test("workerd answers if an answer can't be a Response", async () => {
    assert.equal((await ask('/status/101')).status, 500)
    assert.equal((await ask('/destroyed')).status, 500)
    await workerd.prints(/destroyed before it was complete/)
  })

  test('work continues after the answer with `waitUntil`', async () => {
    await eventsOf(ask)
    await (await ask('/afterwards')).text()
    await (await ask('/afterwards?kept=kept')).text()
    // Without `waitUntil`, work would be done first.
    assert.deepEqual(await eventsSoon(ask, 1), ['worked kept'])
  })

  test('a client that disconnects before the answer goes unnoticed', async () => {
    await eventsOf(ask)
    await assert.rejects(ask('/late', { signal: AbortSignal.timeout(50) }))
    await wait(100)
    assert.deepEqual(await eventsOf(ask), [])
  })

  test('inject says that it is unavailable', async () => {
    assert.match(await (await ask('/injected')).text(), /"light-my-request" cannot be loaded here/)
  })
})

function behaviour(ask: Ask): void {
  test('a body is a stream in and out', async () => {
    const parts = ['one ', 'two ', 'three']
    const encoder = new TextEncoder()
    const answer = await ask('/echo', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new ReadableStream({
        pull(controller) {
          const part = parts.shift()
          if (part === undefined) controller.close()
          else controller.enqueue(encoder.encode(part))
        },
      }),
      duplex: 'half',
    })
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
    assert.equal(await answer.text(), 'one two three')
  })

  test('a large body goes through whole', async () => {
    const body = new Uint8Array(3_000_000).map((_, i) => i % 251)
    const headers = { 'content-type': 'application/octet-stream' }
    const answer = await ask('/echo', { method: 'POST', headers, body })
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(body))
  })

  test('an encoded body is not decoded', async () => {
    const body = gzipSync('some text')
    const headers = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' }
    const answer = await ask('/echo', { method: 'POST', headers, body })
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), body)
  })

  test('a stream is sent while it is written', async () => {
    const { body } = await ask('/lines')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    assert.equal(textOf((await reader.read()).value), 'one\n')
    assert.ok(!(await eventsOf(ask)).includes('made three'))
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += textOf(part.value)
    assert.equal(rest, 'two\nthree\n')
  })

  test('a stream waits for its reader, and arrives completely', async () => {
    assert.equal((await (await ask('/many')).text()).length, 5_000_000)
  })

  test('a stream that fails later is cut off', async () => {
    const cut = await ask('/fails-later')
    assert.equal(cut.status, 200)
    await assert.rejects(cut.text())
  })

  test('a client that disconnects ends the stream and runs the hooks for it', async () => {
    await eventsOf(ask)
    const { body } = await ask('/endless')
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await reader.cancel()
    const events = (await eventsSoon(ask, 2)).sort()
    assert.deepEqual(events, ['aborted', 'source destroyed'])
  })

  test('a body over the limit, with a length and in chunks', async () => {
    const headers = { 'content-type': 'text/plain' }
    const text = 'x'.repeat(11)
    const stream = new Blob([text]).stream()
    for (const init of [{ body: text }, { body: stream, duplex: 'half' as const }]) {
      const answer = await ask('/text', { method: 'POST', headers, ...init })
      assert.equal(answer.status, 413)
    }
  })

  test('no body, and a body of unknown length', async () => {
    const none = await ask('/text', { method: 'POST' })
    assert.deepEqual(await none.json(), { body: null, encoding: null })
    const some = await ask('/text', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: new Blob(['ten bytes.']).stream(),
      duplex: 'half',
    })
    assert.deepEqual(await some.json(), { body: 'ten bytes.', encoding: 'chunked' })
  })

  test('a header that cannot be sent is an error', async () => {
    const answer = await ask('/bad-header')
    assert.equal(answer.status, 500)
    assert.equal(answer.headers.get('x-good'), null)
    assert.equal(((await answer.json()) as { code: string }).code, 'ERR_INVALID_CHAR')
  })

  test("a handler has access to the platform's values", async () => {
    const headers = { 'x-note': 'noted', 'x-client': '192.0.2.7' }
    const caller = (await (await ask('/caller?a=%20b', { headers })).json()) as object
    const { hostname, protocol, encrypted, ...others } = caller as Record<string, unknown>
    assert.match(String(hostname), /^(depot\.test|127\.0\.0\.1:\d+)$/)
    assert.equal(protocol, encrypted ? 'https' : 'http')
    assert.deepEqual(others, {
      ip: '192.0.2.7',
      httpVersion: '1.1',
      url: '/caller?a=%20b',
      fromRequest: 'noted',
      fromRaw: 'noted',
      greeting: GREETING,
    })
  })
}

async function eventsOf(ask: Ask): Promise<string[]> {
  return (await (await ask('/events')).json()) as string[]
}

/** Returns the events, once there are that many: on a busy machine this takes a while. */
async function eventsSoon(ask: Ask, count: number): Promise<string[]> {
  const events: string[] = []
  for (let i = 0; i < 3000 && events.length < count; i++) {
    await wait(10)
    events.push(...(await eventsOf(ask)))
  }
  return events
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString()
}
