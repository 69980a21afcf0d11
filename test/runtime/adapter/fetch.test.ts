/** Applications behind `framework/fetch`, and requests that reach them in another way. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { getDefaultHighWaterMark, Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import framework from 'framework'
import { fetchArguments, toFetch } from 'framework/fetch'

const ask = (path = '/'): Request => new Request(`http://a.test${path}`)

test('the first request boots the application, once', async () => {
  let boots = 0
  const app = framework()
  app.register(async () => void boots++)
  app.get('/', async () => 'booted')
  const fetch = toFetch(app)
  assert.equal(boots, 0)
  const answers = await Promise.all([fetch(ask()), fetch(ask())])
  assert.deepEqual(await Promise.all(answers.map((answer) => answer.text())), ['booted', 'booted'])
  assert.equal(boots, 1)
})

test('the platform waits for a boot that its first request has started', async () => {
  const app = framework()
  app.register(async () => sleep(5))
  app.get('/', async () => 'booted')
  const fetch = toFetch(app)
  const awaited: Promise<unknown>[] = []
  const context = { waitUntil: (work: Promise<unknown>) => void awaited.push(work) }
  const answers = [fetch(ask(), {}, context), fetch(ask(), {}, null)]
  assert.equal(awaited.length, 1)
  await Promise.all([...awaited, ...answers])
})

test('an application that does not boot answers no request, not the second either', async () => {
  const app = framework()
  app.register(async () => {
    throw new Error('It does not boot')
  })
  app.get('/', async () => 'never')
  const fetch = toFetch(app)
  for (let i = 0; i < 2; i++) await assert.rejects(fetch(ask()), /It does not boot/)
})

test('a request that its client aborts while the application boots reaches no handler', async () => {
  let seen = 0
  const app = framework()
  app.register(async () => new Promise((resolve) => setTimeout(resolve, 20)))
  app.get('/', async () => void seen++)
  const client = new AbortController()
  const answer = toFetch(app)(new Request('http://a.test/', { signal: client.signal }))
  client.abort(new Error('gone'))
  await assert.rejects(answer, /gone/)
  assert.equal(seen, 0)
})

/** What servers give for a request line and a `Host`: Deno and workerd join both, and Bun leaves out a `Host` that isn't one. */
const given = (url: string, headers: Record<string, string>): Request =>
  Object.defineProperty(new Request('http://unused', { headers }), 'url', { value: url })

const answerTo = async (url: string, host?: string): Promise<unknown> => {
  const app = framework()
  app.get('/*', async ({ hostname, protocol, raw }) => ({ hostname, protocol, url: raw.url }))
  const response = await toFetch(app)(given(url, host === undefined ? {} : { host }))
  return response.status === 200 ? await response.json() : response.status
}

test('the path of the request line is served, whatever the host and the query contain', async () => {
  const served: readonly [url: string, host: string | undefined, path: string][] = [
    ['http://a/b?c=//d/e', 'a', '/b?c=//d/e'],
    ['http://a//b/c', 'a', '//b/c'],
    ['http://a/\\b', 'a', '/\\b'],
    ['http://a b/c', 'a b', '/c'],
    ['http://[::1]:80/a', '[::1]:80', '/a'],
    ['http://a?b=/c', 'other', '/?b=/c'],
    ['http://a', 'other', '/'],
    ['http://a/b#/c', 'a', '/b'],
    ['/public/raw/x', undefined, '/public/raw/x'],
    ['/zzz?next=//x/raw/evil', undefined, '/zzz?next=//x/raw/evil'],
    ['//raw/evil', undefined, '//raw/evil'],
    ['/a', 'ä', '/a'],
  ]
  for (const [url, host, path] of served) {
    const { url: actual } = (await answerTo(url, host)) as { url: string }
    assert.equal(actual, path, url)
  }
  for (const host of ['x/raw/evil?', 'a/b', 'a?b', 'a#', 'a\\b', 'a@b', '/', '?', 'a, b'])
    for (const url of [`http://${host}/ok`, '/ok']) assert.equal(await answerTo(url, host), 400)
  assert.deepEqual(await answerTo('/raw/x'), { protocol: 'http', url: '/raw/x' })
})

test('a request with an impossible host gets the answer of a malformed request', async () => {
  const events: string[] = []
  const app = framework()
  app.addHook('onRequest', async () => void events.push('hook'))
  app.setNotFoundHandler(async () => void events.push('not found'))
  const answer = await toFetch(app)(given('http://a/b/c', { host: 'a/b' }))
  assert.deepEqual(await answer.json(), {
    error: 'Bad Request',
    message: 'Client Error',
    statusCode: 400,
  })
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.deepEqual(events, [])
})

for (const method of ['GET', 'POST'] as const) {
  test(`a client that disconnects while the handler of ${method} runs is noticed`, async () => {
    const events: string[] = []
    const client = new AbortController()
    const app = framework()
    app.addHook('onRequestAbort', async (_request) => void events.push('hook'))
    app.route({
      method,
      url: '/',
      async handler(request, reply) {
        reply.raw.on('close', () => events.push('response'))
        request.raw.socket.on('close', () => events.push('socket'))
        client.abort()
        await new Promise((resolve) => setTimeout(resolve, 20))
        return events
      },
    })
    const body = method === 'GET' ? null : '{"read":"whole"}'
    const headers = { 'content-type': 'application/json', 'content-length': '16' }
    const { signal } = client
    await assert.rejects(
      toFetch(app)(new Request('http://a.test', { method, headers, body, signal })),
    )
    await new Promise(setImmediate)
    assert.deepEqual(events.toSorted(), ['hook', 'response', 'socket'])
  })
}

for (const method of ['GET', 'POST'] as const) {
  test(`the signal of ${method} that is first read after the client has disconnected is aborted`, async () => {
    let isAborted: boolean | undefined
    const client = new AbortController()
    const app = framework()
    app.all('/', async (request) => {
      client.abort()
      await new Promise((resolve) => setTimeout(resolve, 20))
      isAborted = request.signal.aborted
    })
    const body = method === 'GET' ? null : 'text'
    const headers = { 'content-type': 'text/plain', 'content-length': '4' }
    const { signal } = client
    // The answer may be out before the request is destroyed.
    await toFetch(app)(new Request('http://a.test', { method, headers, body, signal })).catch(
      () => undefined,
    )
    assert.equal(isAborted, true)
  })
}

test("requests give access to the arguments of the platform's call", async () => {
  const app = framework()
  app.get('/', async (request) => fetchArguments(request).slice(1))
  const answer = await toFetch(app)(ask(), { name: 'env' }, 'context')
  assert.deepEqual(await answer.json(), [{ name: 'env' }, 'context'])
  assert.match((await app.inject('/')).body, /didn't come from fetch/)
})

test("the raw request and reply have the members of Node's that plugins use", async () => {
  const app = framework()
  app.get('/', (request, reply) => {
    const { raw } = reply
    raw.setHeader('X-One', 1)
    raw.appendHeader('x-one', '2')
    raw.setHeader('x-gone', 'soon')
    raw.removeHeader('X-Gone')
    const seen = {
      names: raw.getHeaderNames(),
      one: raw.getHeader('x-ONE'),
      has: [raw.hasHeader('x-one'), raw.hasHeader('x-gone')],
      sent: [raw.headersSent, raw.writableEnded],
      version: [request.raw.httpVersionMajor, request.raw.httpVersionMinor],
      same: raw.req === request.raw && raw.socket === request.raw.socket,
      ip: request.ip ?? null,
      rawHeaders: request.raw.rawHeaders,
    }
    reply.send(seen)
    assert.equal(raw.headersSent, true)
    assert.throws(() => raw.setHeader('x-late', '1'), { code: 'ERR_HTTP_HEADERS_SENT' })
    assert.throws(() => raw.writeHead(200), { code: 'ERR_HTTP_HEADERS_SENT' })
  })
  const answer = await toFetch(app)(
    new Request('http://a.test/', { headers: { 'X-Asked': 'yes' } }),
  )
  assert.equal(answer.headers.get('x-one'), '1, 2')
  assert.equal(answer.statusText, 'OK')
  assert.deepEqual(await answer.json(), {
    names: ['x-one'],
    one: ['1', '2'],
    has: [true, false],
    sent: [false, false],
    version: [1, 1],
    same: true,
    ip: null,
    rawHeaders: ['x-asked', 'yes', 'host', 'a.test'],
  })
})

test('headers that a handler writes in any form are sent as Node sends them', async () => {
  const cookies: [string, string][] = [
    ['set-cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ]
  const writes: readonly ((raw: ServerResponse) => unknown)[] = [
    (raw) => raw.setHeaders(new Headers([...cookies, ['x-a', '1']])),
    (raw) => raw.writeHead(201, undefined, { 'x-a': '1' }),
    (raw) => raw.writeHead(201, 'Made', ['x-a', '1', ...cookies.flat()]),
    (raw) => raw.writeHead(201, [['x-a', '1'], ...cookies] as never),
  ]
  const app = framework()
  app.get('/:index', (request, reply) => {
    reply.hijack()
    writes[Number((request.params as { index: string }).index)]?.(reply.raw)
    reply.raw.end('end')
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const index of writes.keys()) {
    const answers = [await toFetch(app)(ask(`/${index}`)), await fetch(`${url}/${index}`)]
    const [ours, nodes] = answers.map(({ status, statusText, headers }) => {
      return [status, statusText, headers.get('x-a'), headers.getSetCookie()]
    })
    assert.deepEqual(ours, nodes)
  }
  await app.close()
})

test("a request whose body isn't read as a stream is answered like one whose body is", async () => {
  const app = framework()
  app.all('/', async ({ body = 'none', headers }) => [body, headers['transfer-encoding'] ?? 'none'])
  const fetch = toFetch(app)
  const headers = { 'content-type': 'text/plain' }
  for (const init of [{}, { method: 'DELETE' }, { method: 'POST', body: 'Emma', headers }]) {
    const [one, other] = [new Request('http://a.test/', init), new Request('http://a.test/', init)]
    Object.defineProperty(other, 'body', { value: undefined })
    assert.equal(await (await fetch(other)).text(), await (await fetch(one)).text())
  }
})

test('a body ends with the last announced byte, as on Node: an answer is sent even if its request is destroyed after reading', async () => {
  const app = framework()
  app.addHook('preParsing', async (request, _reply, payload) => {
    payload.on('data', () => setTimeout(() => request.raw.destroy(), 5))
    return payload
  })
  app.post('/', async (request, reply) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return reply.send(request.body)
  })
  // Its end is never announced.
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":1}')),
  })
  const headers = { 'content-type': 'application/json', 'content-length': '7' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  const answer = await toFetch(app)(new Request('http://a.test/', init))
  assert.deepEqual(await answer.json(), { a: 1 })
})

for (const isHeard of [false, true])
  test(`a stream runs ahead of its client by some kilobytes, and waits${isHeard ? ', also if somebody listens' : ''}`, async () => {
    let made = 0
    let isFinished = false
    const app = framework()
    app.get('/', (_request, reply) => {
      const read = function (this: Readable): void {
        this.push(++made > 1000 ? null : Buffer.alloc(1024))
      }
      if (isHeard) reply.raw.on('finish', () => (isFinished = true))
      reply.send(new Readable({ highWaterMark: 1024, read }))
    })
    const { body } = await toFetch(app)(ask())
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await sleep(20)
    const ownBuffer = isHeard ? getDefaultHighWaterMark(false) / 1024 : 0
    const ahead = made - ownBuffer
    assert.ok(ahead > 8 && ahead <= 24, `${ahead} kilobytes ran ahead`)
    let length = 0
    for (let part = await reader.read(); !part.done; part = await reader.read())
      length += part.value.length
    assert.equal(length, 1000 * 1024)
    await sleep(0)
    assert.equal(isFinished, isHeard)
  })

test('headers that frame a message stay out of a Response', async () => {
  const app = framework()
  app.get('/', async (_request, reply) => {
    reply.header('connection', 'close').header('transfer-encoding', 'chunked').header('x-own', '1')
    return 'framed'
  })
  const { headers } = await toFetch(app)(ask())
  assert.deepEqual([...headers.keys()].sort(), ['content-length', 'content-type', 'x-own'])
})

test("a 205 has no content, and no length of it, because a Response can't", async () => {
  const app = framework()
  app.get('/', async (_request, reply) => reply.code(205).send('text'))
  app.get('/stream', async (_request, reply) =>
    reply
      .code(205)
      .header('content-length', 4)
      .send(Readable.from(['text'])),
  )
  for (const path of ['/', '/stream']) {
    const { status, body, headers } = await toFetch(app)(ask(path))
    assert.deepEqual([status, body, headers.get('content-length')], [205, null, null])
  }
})

test('an application without a server is closed as one with a server', async () => {
  const app = framework()
  const events: string[] = []
  app.addHook('preClose', async () => void events.push('preClose'))
  app.addHook('onClose', async () => void events.push('onClose'))
  await toFetch(app)(ask())
  await app.close()
  assert.deepEqual(events, ['preClose', 'onClose'])
})
