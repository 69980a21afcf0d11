import { test } from 'node:test'
import { Readable } from 'node:stream'
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

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE SEARCH PROPFIND LOCK'.split(' ')

test('methods with a body', () =>
  assertSame({
    build(app) {
      app.route({ method: [...methods] as never, url: '/', handler: echo })
    },
    requests: methods.flatMap((method) =>
      [
        { payload: '{"a":1}', headers: { 'content-type': json } },
        { payload: '{"a"', headers: { 'content-type': json } },
        { payload: 'x', headers: { 'content-type': 'x/y' } },
        { payload: 'x' },
        {},
        { headers: { 'content-type': json } },
        { headers: { 'content-type': json, 'transfer-encoding': 'chunked' } },
      ].map((rest) => ({ method: method as 'GET', url: '/', ...rest })),
    ),
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
      app.addHook('preParsing', async ({ headers }, _reply, payload) =>
        Object.assign(payload, headers['x-long'] && { receivedEncodedLength: 31 }),
      )
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
      post('/wide', '{"a":1}', json, { 'x-long': 'yes' }),
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
