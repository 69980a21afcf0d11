/** Attacks on the platforms without sockets, where the code that Node's server has against them isn't there. */
import assert from 'node:assert/strict'
import { PassThrough, type Writable } from 'node:stream'
import { describe, test } from 'node:test'
import framework from 'framework'
import framework5 from 'framework/5'
import { toFetch } from 'framework/fetch'
import { toLambda, toStreamingLambda } from 'framework/lambda'

const event = (url: string): object => ({
  httpMethod: 'GET',
  path: url,
  multiValueHeaders: {},
  requestContext: { elb: {} },
})

for (const [line, create] of Object.entries({ framework, framework5 })) {
  describe(line, () => {
    test('a status message with a line break is refused, as by Node', async () => {
      const app = create()
      app.get('/sent', (_request, reply) => {
        reply.raw.statusMessage = 'a\r\nX-I: 1'
        reply.send('sent')
      })
      app.get('/ended', (_request, reply) => {
        reply.raw.statusMessage = 'a\r\nX-I: 1'
        reply.raw.end('ended')
      })
      app.get('/written', (_request, reply) => {
        reply.raw.statusMessage = 'a\r\nX-I: 1'
        reply.raw.write('written')
      })
      const lambda = toLambda(app)
      const fetch = toFetch(app)
      for (const url of ['/sent', '/ended', '/written']) {
        const { statusCode, statusDescription } = await lambda(event(url))
        assert.equal(statusCode, 500, url)
        assert.equal(statusDescription, '500 Internal Server Error')
        assert.equal((await fetch(new Request(`http://a${url}`))).status, 500, url)
      }
    })

    test('an answer to a stream that is closed already ends with an error', async () => {
      Object.assign(globalThis, {
        awslambda: {
          streamifyResponse: (invoke: unknown) => invoke,
          HttpResponseStream: { from: (stream: Writable) => stream },
        },
      })
      const app = create()
      app.get('/', async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return 'sent'
      })
      const invoke = toStreamingLambda(app) as unknown as (
        event: object,
        stream: Writable,
        context: object,
      ) => Promise<void>
      await assert.rejects(invoke(event('/'), new PassThrough().destroy(), {}))
      const failing = new PassThrough()
      setImmediate(() => failing.destroy(new Error('gone')))
      await assert.rejects(invoke(event('/'), failing, {}), /gone/)
    })

    test('a body that is longer than its content-length is read no further', async () => {
      const app = create()
      app.post('/', async ({ body }) => String(body))
      app.addContentTypeParser('x/stream', (_request, payload, done) => {
        let size = 0
        payload.on('data', (chunk: Buffer) => (size += chunk.length))
        payload.on('end', () => done(null, size))
      })
      const handle = toFetch(app)
      const post = async (type: string): Promise<[status: number, read: number]> => {
        let pulled = 0
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            pulled += 1000
            if (pulled > 20_000_000) controller.close()
            else controller.enqueue(new Uint8Array(1000))
          },
        })
        const headers = { 'content-type': type, 'content-length': '10' }
        const init = { method: 'POST', headers, body, duplex: 'half' as const }
        const { status } = await handle(new Request('http://a/', init))
        return [status, pulled]
      }
      const [status, read] = await post('application/json')
      assert.equal(status, 400)
      assert.ok(read < 10_000, `${read} bytes`)
      const [, readByStream] = await post('x/stream')
      assert.ok(readByStream < 100_000, `${readByStream} bytes`)
    })

    test('writing after the end of a hijacked reply leaves the answer whole', async () => {
      const app = create()
      const codes: unknown[] = []
      app.get('/', (_request, reply) => {
        const { raw } = reply.hijack()
        const note = (error?: Error | null): void =>
          void codes.push((error as { code?: string } | undefined)?.code)
        raw.write('a')
        raw.end('b')
        raw.write('c', note)
        raw.end('d', note)
      })
      const response = await toFetch(app)(new Request('http://a/'))
      assert.equal(await response.text(), 'ab')
      await new Promise((resolve) => setImmediate(resolve))
      assert.deepEqual(codes, ['ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_WRITE_AFTER_END'])
    })

    test('a response without content ignores a web stream that is locked', async () => {
      const app = create()
      const locked = (): ReadableStream => {
        const stream = new ReadableStream()
        stream.getReader()
        return stream
      }
      app.get('/', (_request, reply) => void reply.code(204).send(locked()))
      app.get('/200', (_request, reply) => void reply.send(locked()))
      for (const method of ['GET', 'HEAD'] as const) {
        assert.equal((await app.inject({ method, url: '/' })).statusCode, 204)
        assert.equal((await app.inject({ method, url: '/200' })).statusCode, 500)
      }
    })
  })
}
