/** `framework/lambda`: events and results, compared with Fastify 4.21 on a socket. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Readable, Writable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import framework from 'framework'
import { toLambda, toStreamingLambda } from 'framework/lambda'
import {
  CLIENT,
  type Gateway,
  type GatewayAnswer,
  type GatewayRequest,
  gateways,
  toEvent,
  toGatewayAnswer,
} from '../../support/lambda/gateway.ts'
import { runs } from '../../support/runs.ts'
import { Connection } from '../../support/wire.ts'

/** Answers with everything that a handler sees of a request, and with the bytes of its body. */
function mirror(app: FastifyInstance): FastifyInstance {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.all('/*', (request, reply) => {
    const { method, params, query, headers } = request
    const { host: _, connection: __, ...own } = headers
    void reply.header('x-seen', encodeURIComponent(JSON.stringify({ method, params, query, own })))
    const { status = '200', cookies = '0' } = query as { status?: string; cookies?: string }
    for (let i = 0; i < Number(cookies); i++) void reply.header('set-cookie', `c${i}=${i}; Path=/`)
    void reply.code(Number(status)).send(request.body ?? 'nothing')
  })
  return app
}

const text = fc.string({ unit: 'grapheme', maxLength: 6 })
const body = fc.option(
  fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'grapheme', minLength: 1 }).map((one) => Buffer.from(one)),
  ),
  { nil: undefined },
)
const requests: fc.Arbitrary<GatewayRequest> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
    segments: fc.array(text, { maxLength: 3 }),
    query: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ß'), text), { maxLength: 4 }),
    headers: fc.array(
      fc.tuple(
        fc.constantFrom('X-One', 'x-one', 'accept', 'cookie', 'X-Two', 'user-agent'),
        fc.stringMatching(/^[!-:<-~]{1,8}$/),
      ),
      { maxLength: 5 },
    ),
    status: fc.constantFrom('200', '201', '404', '500'),
    cookies: fc.integer({ min: 0, max: 3 }),
    type: fc.constantFrom('text/plain', 'application/octet-stream', 'image/png'),
    body,
  })
  .map(({ method, segments, query, headers, status, cookies, type, body }) => {
    const pairs = [...query, ['status', status], ['cookies', String(cookies)]]
    const search = pairs.map((pair) => pair.map((one) => encodeURIComponent(one ?? '')).join('='))
    const hasBody = method !== 'GET' && body !== undefined
    return {
      method,
      target: `/${segments.map((one) => encodeURIComponent(one)).join('/')}?${search.join('&')}`,
      headers: hasBody ? [...headers, ['content-type', type] as const] : headers,
      body: hasBody ? body : undefined,
    }
  })

/** Leaves out of both requests what a gateway can't pass on, or changes. */
const simplified: Readonly<Record<Gateway, (request: GatewayRequest) => GatewayRequest>> = {
  rest: inOneCase,
  'http-1.0': (request) => withoutSlashes(inOneCase(request)),
  http: (request) => withoutSlashes(joined(request)),
  url: joined,
  balancer: (request) => ({ ...joined(request), target: onePair(request.target) }),
  'balancer-multiple': inOneCase,
}

function withoutSlashes(request: GatewayRequest): GatewayRequest {
  // Gateways would decode a slash, and text that looks encoded.
  const target = request.target.replaceAll('%2F', '-').replaceAll('%25', '-')
  return { ...request, target }
}

/** An event lists the values of each spelling: the order among several spellings of a name is lost. */
function inOneCase(request: GatewayRequest): GatewayRequest {
  const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  return { ...request, headers }
}

function joined(request: GatewayRequest): GatewayRequest {
  return { ...request, headers: lastOf(request.headers, ([name]) => name.toLowerCase()) }
}

/** Keeps one of each name in a query. */
function onePair(target: string): string {
  const [path, ...pairs] = target.split(/[?&]/)
  return `${path}?${lastOf(pairs, (pair) => pair.split('=')[0]).join('&')}`
}

/** Keeps the last one of each name. */
function lastOf<T>(list: readonly T[], nameOf: (one: T) => unknown): T[] {
  return list.filter((one, i) => !list.slice(i + 1).some((other) => nameOf(other) === nameOf(one)))
}

/** Returns names in lower case and their values, sorted, without those that gateways and servers add. */
function comparable({ status, headers, body }: GatewayAnswer): object {
  const added = ['connection', 'date', 'keep-alive', 'x-seen']
  const lines = headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((line) => !added.includes(line.split(':')[0] as string))
    .sort()
  // A body that isn't text fails before the handler.
  const [, seen = '{"own":{}}'] = headers.find(([name]) => name.toLowerCase() === 'x-seen') ?? []
  const view = JSON.parse(decodeURIComponent(seen)) as { own: Record<string, unknown> }
  for (const name of ['x-forwarded-for', 'x-forwarded-proto']) delete view.own[name]
  return { status, lines, body: body.toString('latin1'), view }
}

describe('events and answers', () => {
  const oracle = mirror(fastify())
  const handler = toLambda(mirror(framework() as unknown as FastifyInstance) as never)
  let connection: Connection
  before(async () => {
    await oracle.listen({ host: '127.0.0.1', port: 0 })
    connection = new Connection((oracle.server.address() as AddressInfo).port)
  })
  after(async () => {
    connection.close()
    await oracle.close()
  })

  async function onSocket({
    method,
    target,
    headers,
    body,
  }: GatewayRequest): Promise<GatewayAnswer> {
    const lines = [['host', 'shop.test'], ...headers].map((line) => line.join(': '))
    if (body) lines.push(`content-length: ${body.length}`)
    const bytes = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body?.toString('latin1') ?? ''}`
    const answer = await connection.send(bytes, method)
    return { ...answer, body: Buffer.from(answer.body, 'latin1') }
  }

  for (const gateway of gateways) {
    test(`${gateway}: answers as on a socket`, async () => {
      const property = fc.asyncProperty(requests, async (any) => {
        const request = simplified[gateway](any)
        const [expected, answer] = await Promise.all([
          onSocket(request),
          handler(toEvent(gateway, request)).then(toGatewayAnswer),
        ])
        assert.deepEqual(comparable(answer), comparable(expected))
      })
      await fc.assert(property, runs(60))
    })
  }
})

const ask = (path: string, more: object = {}): object => ({
  ...toEvent('url', { method: 'GET', target: path, headers: [['host', 'shop.test']] }),
  ...more,
})

test('requests give access to the event, the context and the client', async () => {
  const app = framework()
  app.get('/', async (request) => {
    const { ip, protocol, awsLambda, raw } = request as unknown as Seen
    assert.equal(raw.awsLambda, awsLambda)
    return { ip, protocol, event: awsLambda.event.version, context: awsLambda.context }
  })
  const context = { awsRequestId: '1' }
  const { body } = await toLambda(app, { callbackWaitsForEmptyEventLoop: false })(ask('/'), context)
  assert.deepEqual(JSON.parse(body), {
    ip: CLIENT,
    protocol: 'https',
    event: '2.0',
    context: { awsRequestId: '1', callbackWaitsForEmptyEventLoop: false },
  })
})

interface Seen {
  readonly ip: string
  readonly protocol: string
  readonly awsLambda: { event: { version: string }; context: object }
  readonly raw: { readonly awsLambda: unknown }
}

test('the base path and the stage are removed from the path', async () => {
  const app = framework()
  app.get('/*', async ({ url }) => url)
  const handler = toLambda(app, { basePath: '/v1/' })
  const urlOf = async (event: object): Promise<string> => (await handler(event)).body
  const named = { http: { method: 'GET' }, stage: 'dev', domainName: 'x.execute-api.y' }
  assert.equal(await urlOf(ask('/v1/books')), '/books')
  assert.equal(await urlOf(ask('/v1')), '/')
  assert.equal(await urlOf(ask('/v10')), '/v10')
  assert.equal(await urlOf(ask('/dev/v1/a', { requestContext: named })), '/a')
  assert.equal(await urlOf(ask('/dev', { requestContext: named })), '/')
  assert.equal(await urlOf(ask('/device', { requestContext: named })), '/device')
  const custom = { ...named, domainName: 'api.example.com' }
  assert.equal(await urlOf(ask('/dev/a', { requestContext: custom })), '/dev/a')
})

test('text is sent as text, other bytes in base64', async () => {
  const app = framework()
  app.get('/text', async (_, reply) => reply.type('image/svg+xml').send(Buffer.from('<ä/>')))
  app.get('/bytes', async (_, reply) => reply.type('text/plain').send(Buffer.from([0xff, 0])))
  app.get('/stream', async () => Readable.from([Buffer.from([0xc3]), Buffer.from([0xa4])]))
  const handler = toLambda(app)
  const bodyOf = async (path: string): Promise<unknown[]> => {
    const { body, isBase64Encoded } = await handler(ask(path))
    return [body, isBase64Encoded]
  }
  assert.deepEqual(await bodyOf('/text'), ['<ä/>', false])
  assert.deepEqual(await bodyOf('/bytes'), ['/wA=', true])
  assert.deepEqual(await bodyOf('/stream'), ['ä', false])
})

test('a balancer without multi-value headers gets each cookie under its own spelling of the name', async () => {
  const app = framework()
  app.get('/', async (_, reply) => reply.header('set-cookie', ['a=1', 'b=2', 'c=3']).send('ok'))
  const event = toEvent('balancer', { method: 'GET', target: '/', headers: [] })
  const { headers, statusDescription } = await toLambda(app)(event)
  assert.equal(statusDescription, '200 OK')
  const names = Object.keys(headers ?? {}).filter((name) => /^set-cookie$/i.test(name))
  assert.deepEqual(names, ['set-cookie', 'Set-cookie', 'sEt-cookie'])
})

test('an event without a request, and an answer that fails, are errors of the call', async () => {
  const app = framework()
  app.get('/broken', async (_, reply) => {
    reply.hijack()
    reply.raw.destroy(new Error('No more'))
  })
  const handler = toLambda(app)
  for (const event of [{ Records: [] }, null, undefined, 'text', 5]) {
    await assert.rejects(handler(event as object), /contains no HTTP request/)
  }
  await assert.rejects(handler(ask('/broken')), /No more/)
})

describe('streaming', () => {
  type Streams = (event: object, stream: Writable, context: object) => Promise<void>
  const heads: object[] = []
  before(() => {
    Object.assign(globalThis, {
      awslambda: {
        streamifyResponse: (streams: Streams) => streams,
        HttpResponseStream: {
          from: (stream: Writable, head: object) => (heads.push(head), stream),
        },
      },
    })
  })
  after(() => void Reflect.deleteProperty(globalThis, 'awslambda'))

  async function stream(
    handler: unknown,
    path: string,
    failure?: Error,
  ): Promise<{ chunks: string[]; head: unknown }> {
    const chunks: string[] = []
    const out = new Writable({
      write(chunk, _, done) {
        chunks.push(String(chunk))
        done(failure)
      },
    })
    await (handler as Streams)(ask(path), out, {})
    return { chunks, head: heads.pop() }
  }

  test('is sent as it is written, also if it is empty', async () => {
    const app = framework()
    app.get('/parts', async () => Readable.from(['one', 'two']))
    app.get('/whole', async (_, reply) => reply.header('set-cookie', ['a=1', 'b=2']).send('whole'))
    app.get('/nothing', async (_, reply) => reply.code(204).send())
    app.get('/reset', async (_, reply) => reply.code(205).send('text'))
    app.get('/breaks', async () =>
      Readable.from(
        (async function* () {
          yield 'one'
          throw new Error('Too bad')
        })(),
      ),
    )
    const handler = toStreamingLambda(app)
    assert.deepEqual((await stream(handler, '/parts')).chunks, ['one', 'two'])
    assert.deepEqual((await stream(handler, '/reset')).chunks, ['text'])
    const { chunks, head } = await stream(handler, '/whole')
    assert.deepEqual(chunks, ['whole'])
    assert.deepEqual(head, {
      statusCode: 200,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'content-length': '5' },
      cookies: ['a=1', 'b=2'],
    })
    assert.deepEqual((await stream(handler, '/nothing')).chunks, [''])
    await assert.rejects(stream(handler, '/breaks'))
  })

  test('ends with the stream of the platform: if reading stops, the error is that of the call', async () => {
    const app = framework()
    const gone = new Error('The client has gone')
    const closed: Promise<unknown>[] = []
    app.get('/whole', async () => 'whole')
    app.get('/parts', async (_request, reply) => {
      const source = new Readable({ read: () => void source.push('part') })
      for (const stream of [source, reply.raw]) {
        closed.push(new Promise((resolve) => stream.on('close', resolve)))
      }
      return source
    })
    const handler = toStreamingLambda(app)
    await assert.rejects(stream(handler, '/whole', gone), gone)
    await assert.rejects(stream(handler, '/parts', gone), gone)
    assert.equal((await Promise.all(closed)).length, 2)
  })
})

test("without Lambda's streaming there is no such handler", () => {
  const global = globalThis as { awslambda?: object | undefined }
  // The AWS SDK creates the object anywhere.
  for (const awslambda of [undefined, {}]) {
    global.awslambda = awslambda
    assert.equal(toStreamingLambda(framework()), undefined)
  }
  delete global.awslambda
})
