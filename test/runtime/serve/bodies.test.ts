import { test } from 'node:test'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyRequest, InjectOptions } from 'fastify'
import { assertSame } from '../../support/differential.ts'

const post = (url: string, payload: unknown, type?: string, more: object = {}): InjectOptions => ({
  method: 'POST',
  url,
  payload: payload as string,
  headers: { ...(type === undefined ? {} : { 'content-type': type }), ...more },
})

const echo = async (request: FastifyRequest): Promise<unknown> => ({
  body: request.body === undefined ? 'undefined' : request.body,
  type: typeof request.body,
})

const json = 'application/json'

test('JSON bodies, well formed and not', () =>
  assertSame({
    build(app) {
      app.post('/', echo)
    },
    requests: () => [
      post('/', '{"a":1}', json),
      post('/', '{"a":1}', 'application/json; charset=utf-8'),
      post('/', '{"a":1}', 'application/json;charset=utf-8'),
      post('/', '{"a":1}', 'APPLICATION/JSON'),
      post('/', '{"a":1}', 'application/jsonx'),
      post('/', '{"a":1}', 'application/vnd.api+json'),
      post('/', '{"a":1}', 'x-application/json'),
      post('/', '{"a"', json),
      post('/', '', json),
      post('/', ' ', json),
      post('/', 'null', json),
      post('/', '"text"', json),
      post('/', '12', json),
      post('/', '\uFEFF{"a":1}', json),
      post('/', '{"__proto__":{"x":1}}', json),
      post('/', '{"a":{"__proto__":1}}', json),
      post('/', '{"\\u005f_proto__":1}', json),
      post('/', '{"constructor":{"prototype":1}}', json),
      post('/', '{"constructor":1}', json),
      post('/', '{"a":"ü€😀"}', json),
      post('/', undefined, json),
      post('/', undefined),
      post('/', 'text', 'text/plain'),
      post('/', '', 'text/plain'),
      post('/', '<a/>', 'application/xml'),
      post('/', 'x', ''),
      post('/', 'x', ';'),
      post('/', 'x', 'nonsense'),
      post('/', 'x'),
      post('/', '{"a":1}', json, { 'content-length': '3' }),
      post('/', '{"a":1}', json, { 'content-length': '100' }),
      post('/', '{"a":1}', json, { 'content-length': 'abc' }),
      {
        method: 'POST',
        url: '/',
        payload: Readable.from(['{"a"', ':1}']),
        headers: { 'content-type': json },
      },
      { method: 'POST', url: '/none', payload: '{"a"', headers: { 'content-type': json } },
      { method: 'POST', url: '/none', payload: 'x', headers: { 'content-type': 'application/x' } },
    ],
  }))

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'SEARCH',
  'PROPFIND',
  'LOCK',
] as const

test('which methods have a body', () =>
  assertSame({
    build(app) {
      app.route({ method: [...methods] as never, url: '/', handler: echo })
    },
    requests: methods.flatMap((method) => [
      { method: method as 'GET', url: '/', payload: '{"a":1}', headers: { 'content-type': json } },
      { method: method as 'GET', url: '/', payload: '{"a"', headers: { 'content-type': json } },
      { method: method as 'GET', url: '/', payload: 'x', headers: { 'content-type': 'x/y' } },
      { method: method as 'GET', url: '/', payload: 'x' },
      { method: method as 'GET', url: '/' },
      { method: method as 'GET', url: '/', headers: { 'content-type': json } },
      {
        method: method as 'GET',
        url: '/',
        headers: { 'content-type': json, 'transfer-encoding': 'chunked' },
      },
    ]),
  }))

test('limits of the factory, of parsers and of routes', () =>
  assertSame({
    options: () => ({ bodyLimit: 12 }),
    build(app) {
      app.post('/', echo)
      app.post('/wide', { bodyLimit: 30 }, echo)
      app.addContentTypeParser(
        'x/small',
        { parseAs: 'string', bodyLimit: 4 },
        (_request, body, done) => done(null, body),
      )
      app.addContentTypeParser('x/buffer', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, String(body)),
      )
      app.addContentTypeParser('x/stream', (_request, payload, done) => {
        payload.resume()
        payload.on('end', () => done(null, 'streamed'))
      })
      app.setErrorHandler((error, _request, reply) => {
        reply.header('x-code', String(error.code)).send(error)
      })
      app.setNotFoundHandler(echo)
    },
    requests: () => [
      post('/', '{"a":12345}', json),
      post('/', '{"a":123456}', json),
      post('/', '{"a":1234567}', json),
      post('/', '{"a":"€€€"}', json),
      {
        method: 'POST',
        url: '/',
        payload: Readable.from(['{"a":', '12345', '67}']),
        headers: { 'content-type': json },
      },
      post('/wide', '{"a":1234567}', json),
      post('/wide', '1234', 'x/small'),
      post('/', '1234', 'x/small'),
      post('/', '12345', 'x/small'),
      post('/', '123456789012', 'x/buffer'),
      post('/', '1234567890123', 'x/buffer'),
      post('/', '1234567890123', 'x/stream'),
      post('/none', '1234567890123', 'text/plain'),
      post('/none', '1234', 'text/plain'),
      post('/none', '12345', 'x/small'),
    ],
  }))

test('parsers by name, expression and catch-all, the last one first', () =>
  assertSame({
    build(app, note) {
      const parser = (name: string) => async (_request: unknown, body: unknown) => ({
        name,
        body: String(body),
      })
      const asText = { parseAs: 'string' as const }
      app.addContentTypeParser('text/x', asText, parser('x'))
      app.addContentTypeParser(['text/y', 'text/z; v=1'], asText, parser('y'))
      app.addContentTypeParser(/^text\/r.*$/, asText, parser('r'))
      app.addContentTypeParser(/^text\/q; charset=.*$/, asText, parser('q'))
      app.addContentTypeParser('application/json', asText, parser('json'))
      note(
        app.hasContentTypeParser('text/x'),
        app.hasContentTypeParser('*'),
        app.hasContentTypeParser(/^text\/r.*$/),
      )
      const invalid: [unknown, unknown, unknown?][] = [
        ['text/x', asText, parser('again')],
        ['', asText, parser('empty')],
        [12, asText, parser('number')],
        ['text/n', asText, 'no function'],
        ['text/p', { parseAs: 'nothing' }, parser('p')],
        [/^text\/r.*$/, asText, parser('again')],
      ]
      for (const args of invalid) {
        try {
          app.addContentTypeParser(...(args as Parameters<typeof app.addContentTypeParser>))
          note('taken')
        } catch (error) {
          note(error)
        }
      }
      app
        .register(async (child) => {
          child.addContentTypeParser('*', asText, parser('any'))
          child.removeContentTypeParser('text/x')
          child.addContentTypeParser('text/y', asText, parser('again'))
          child.post('/child', echo)
        })
        .after((error) => note(error))
      app.register(async (child) => {
        child.removeAllContentTypeParsers()
        child.post('/bare', echo)
        child.addContentTypeParser('text/plain', asText, parser('plain'))
      })
      app.register(async (child) => {
        child.addContentTypeParser('text/x; charset=utf-8', asText, parser('x with charset'))
        child.addContentTypeParser(
          'stream/error',
          async (_request: unknown, payload: NodeJS.ReadableStream) => {
            payload.resume()
            throw Object.assign(new Error('cannot'), { statusCode: 418 })
          },
        )
        child.post('/more', echo)
      })
      app.post('/', echo)
    },
    whenReady(app, note) {
      for (const call of [
        () => app.addContentTypeParser('late/x', { parseAs: 'string' }, async () => 1),
        () => app.removeContentTypeParser('text/x'),
        () => app.removeAllContentTypeParsers(),
      ]) {
        try {
          call()
        } catch (error) {
          note(error)
        }
      }
    },
    requests: ['/', '/child', '/bare', '/more'].flatMap((url) =>
      [
        'text/x',
        'text/x; charset=utf-8',
        'text/x;charset=utf-8',
        'text/y',
        'text/z',
        'text/z; v=1',
        'text/z; v=2',
        'text/rrr',
        'text/q',
        'text/q; charset=x',
        'text/xx',
        'application/json',
        'text/plain',
        'text/plain; x=y',
        'stream/error',
      ].map((type) => post(url, '"payload"', type)),
    ),
  }))

test('preParsing hooks replace the stream', () =>
  assertSame({
    build(app) {
      app.addHook('preParsing', async (request, _reply, payload) => {
        if (request.headers['x-kind'] === 'same') return payload
        if (request.headers['x-kind'] === 'none') return undefined
        if (request.headers['x-kind'] === 'false') return false as never
        const other = Object.assign(new PassThrough(), { receivedEncodedLength: 0 })
        if (request.headers['x-kind'] === 'fail') {
          setImmediate(() =>
            other.destroy(Object.assign(new Error('broken stream'), { statusCode: 499 })),
          )
          return other
        }
        payload.on('data', (chunk: Buffer) => {
          other.receivedEncodedLength += chunk.length
        })
        payload.on('end', () => other.end('{"other":1}'))
        return other
      })
      app.post('/', echo)
    },
    requests: ['same', 'none', 'false', 'other', 'fail'].map((kind) =>
      post('/', '{"a":1}', json, { 'x-kind': kind }),
    ),
  }))
